import type { Transform } from '@instep/contract/transforms.ts'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './transform.module.css'
import { TransformFields } from './transform-fields.tsx'

interface TransformStepProps {
  step: Transform
  /** From 0. */
  place: number
  count: number
  columns: readonly string[]
  /** The texts of the sample that reach this step. */
  seen: () => string[]
  onChange: (step: Transform) => void
  onMove: (to: number) => void
  onRemove: () => void
}

/** One step of a chain with what belongs to it; it moves by its buttons, or by Alt and an arrow key from anywhere in it. */
export function TransformStep({ step, place, count, columns, seen, onChange, onMove, onRemove }: TransformStepProps) {
  const { t } = useTranslation('transform')
  const name = t(`kinds.${step.kind}`)
  const said = { step: name, place: place + 1 }
  return (
    <li
      className={styles.step}
      onKeyDown={(event) => {
        const to = event.key === 'ArrowUp' ? place - 1 : event.key === 'ArrowDown' ? place + 1 : -1
        if (!event.altKey || to < 0 || to >= count) return
        event.preventDefault()
        onMove(to)
      }}
    >
      <header className={styles.stepHead}>
        <span>
          <span className="figures">{place + 1}</span> {name}
        </span>
        <span className={styles.stepTools}>
          <IconButton
            small
            icon={IconArrowUp}
            label={t('up', said)}
            data-move="up"
            aria-disabled={place === 0}
            onClick={() => place > 0 && onMove(place - 1)}
          />
          <IconButton
            small
            icon={IconArrowDown}
            label={t('down', said)}
            data-move="down"
            aria-disabled={place === count - 1}
            onClick={() => place < count - 1 && onMove(place + 1)}
          />
          <IconButton small icon={IconTrash} label={t('remove', said)} onClick={onRemove} />
        </span>
      </header>
      <TransformFields step={step} columns={columns} seen={seen} onChange={onChange} />
    </li>
  )
}
