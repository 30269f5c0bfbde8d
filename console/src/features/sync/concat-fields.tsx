import type { ConcatPart, Transform } from '@instep/contract/transforms.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './transform.module.css'
import { moved } from './transform.rules.ts'

const MOST_PARTS = 20
const OF_COLUMN = 'column:'

interface ConcatFieldsProps {
  step: Extract<Transform, { kind: 'concat' }>
  columns: readonly string[]
  onChange: (step: Transform) => void
}

/** The parts of a joined text in their order, and what stands between them. */
export function ConcatFields({ step, columns, onChange }: ConcatFieldsProps) {
  const { t } = useTranslation('transform')
  const { parts } = step
  const change = (next: ConcatPart[]) => onChange({ ...step, parts: next })
  return (
    <>
      <ol className={styles.rows}>
        {parts.map((part, place) => (
          <ConcatRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
            key={place}
            part={part}
            place={place}
            columns={columns}
            onChange={(next) => change(parts.with(place, next))}
            onUp={place > 0 ? () => change(moved(parts, place, place - 1)) : undefined}
            onRemove={parts.length > 1 ? () => change(parts.toSpliced(place, 1)) : undefined}
          />
        ))}
      </ol>
      <div className={styles.fields}>
        <TextField
          label={t('concat.separator')}
          hint={step.separator === '' ? t('concat.noSeparator') : step.separator.trim() === '' ? t('concat.space') : undefined}
          longest={20}
          value={step.separator}
          onChange={(separator) => onChange({ ...step, separator })}
        />
      </div>
      {parts.length < MOST_PARTS && (
        <Button icon={IconPlus} onClick={() => change([...parts, { from: 'text', text: '' }])}>
          {t('concat.add')}
        </Button>
      )}
    </>
  )
}

interface ConcatRowProps {
  part: ConcatPart
  place: number
  columns: readonly string[]
  onChange: (part: ConcatPart) => void
  onUp: (() => void) | undefined
  onRemove: (() => void) | undefined
}

function ConcatRow({ part, place, columns, onChange, onUp, onRemove }: ConcatRowProps) {
  const { t } = useTranslation('transform')
  const label = t('concat.part', { place: place + 1 })
  const choose = (value: string) => {
    if (value.startsWith(OF_COLUMN)) onChange({ from: 'column', column: value.slice(OF_COLUMN.length) })
    else onChange(value === 'value' ? { from: 'value' } : { from: 'text', text: '' })
  }
  return (
    <li className={styles.row}>
      <SelectField
        label={label}
        hideLabel
        value={part.from === 'column' ? `${OF_COLUMN}${part.column}` : part.from}
        options={[
          { value: 'value', label: t('concat.value') },
          { value: 'text', label: t('concat.text') },
          ...columns.map((name) => ({ value: `${OF_COLUMN}${name}`, label: name, group: t('concat.columns') })),
        ]}
        onChange={choose}
      />
      {part.from === 'text' && (
        <TextField
          label={t('concat.textOf', { place: place + 1 })}
          hideLabel
          error={part.text === '' ? t('missing') : undefined}
          longest={300}
          value={part.text}
          onChange={(text) => onChange({ from: 'text', text })}
        />
      )}
      <span className={styles.stepTools}>
        <IconButton small icon={IconArrowUp} label={t('concat.up', { place: place + 1 })} disabled={!onUp} onClick={onUp} />
        <IconButton small icon={IconX} label={t('concat.remove', { place: place + 1 })} disabled={!onRemove} onClick={onRemove} />
      </span>
    </li>
  )
}
