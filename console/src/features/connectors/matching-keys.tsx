import { COMPARISONS, type LookupKeyKind, type Matching } from '@instep/contract/matching.ts'
import { Icon } from '@instep/ui/icon.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './matching.module.css'
import { keysLeft, newKey, withKeyMoved } from './matching.rules.ts'

interface MatchingKeysProps {
  keys: Matching['keys']
  onChange: (keys: Matching['keys']) => void
}

/** The lookup keys in their order: dragged or moved by buttons, each with how its values are compared. */
export function MatchingKeys({ keys, onChange }: MatchingKeysProps) {
  const { t } = useTranslation('matching')
  const [dragged, setDragged] = useState<number | null>(null)
  const pressed = useRef<HTMLElement | null>(null)
  // a row that changes places loses the focus that its button has
  useLayoutEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  })
  const move = (from: number, to: number, button?: HTMLElement) => {
    pressed.current = button ?? null
    onChange(withKeyMoved(keys, from, to))
  }
  const left = keysLeft(keys)
  return (
    <>
      {keys.length === 0 && <p className={styles.muted}>{t('noKeys')}</p>}
      <ol className={styles.keys}>
        {keys.map(({ kind, comparison }, place) => (
          <li
            key={kind}
            className={styles.key}
            data-dragged={dragged === place || undefined}
            draggable
            onDragStart={() => setDragged(place)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => {
              event.preventDefault()
              if (dragged === null || dragged === place) return
              move(dragged, place)
              setDragged(place)
            }}
          >
            <span className={styles.grip}>
              <Icon of={IconGripVertical} size={15} />
            </span>
            <span className={styles.keyName}>
              <strong>{t(`keys.${kind}.name`)}</strong>
              <span className={styles.muted}>{t(`keys.${kind}.about`)}</span>
            </span>
            <SelectField
              label={t('comparisonOf', { key: t(`keys.${kind}.name`) })}
              hideLabel
              toolbar
              value={comparison}
              options={COMPARISONS.map((value) => ({ value, label: t(`comparisons.${value}`) }))}
              onChange={(value) =>
                onChange(
                  keys.map((key) =>
                    key.kind === kind ? { kind, comparison: COMPARISONS.find((one) => one === value) ?? comparison } : key,
                  ),
                )
              }
            />
            <span className={styles.moves}>
              <IconButton
                small
                icon={IconArrowUp}
                label={t('earlier', { key: t(`keys.${kind}.name`) })}
                aria-disabled={place === 0}
                onClick={(event) => move(place, place - 1, event.currentTarget)}
              />
              <IconButton
                small
                icon={IconArrowDown}
                label={t('later', { key: t(`keys.${kind}.name`) })}
                aria-disabled={place === keys.length - 1}
                onClick={(event) => move(place, place + 1, event.currentTarget)}
              />
              <IconButton
                small
                icon={IconTrash}
                label={t('remove', { key: t(`keys.${kind}.name`) })}
                onClick={() => onChange(keys.filter((key) => key.kind !== kind))}
              />
            </span>
            <span className={styles.comparisonAbout}>
              {t(comparison === 'normalised' && kind === 'Email' ? 'comparisonAbout.folded' : `comparisonAbout.${comparison}`)}
            </span>
          </li>
        ))}
      </ol>
      {left.length > 0 && (
        <div className={styles.add}>
          <SelectField
            label={t('add')}
            hideLabel
            toolbar
            value=""
            options={[{ value: '', label: t('add') }, ...left.map((kind) => ({ value: kind, label: t(`keys.${kind}.name`) }))]}
            onChange={(kind) => kind && onChange([...keys, newKey(kind as LookupKeyKind)])}
          />
        </div>
      )}
    </>
  )
}
