import { Button } from '@instep/ui/button.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { IconArrowRight, IconListSearch, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './transform.module.css'

type Values = Readonly<Record<string, string>>
type Row = readonly [source: string, ours: string]

interface LookupTableProps {
  values: Values
  /** The texts of the sample that reach the table. */
  seen: () => string[]
  onChange: (values: Record<string, string>) => void
}

const valuesOf = (rows: readonly Row[]): Record<string, string> => Object.fromEntries(rows.filter(([source]) => source !== ''))

/** What the source writes and what is kept for it. Rows whose first side is empty yet are not part of the table. */
export function LookupTable({ values, seen, onChange }: LookupTableProps) {
  const { t } = useTranslation('transform')
  // what is typed may name one value twice for a moment, which a table cannot hold
  const [typed, setTyped] = useState<{ rows: readonly Row[]; values: Values }>({ rows: Object.entries(values), values })
  if (typed.values !== values) setTyped({ rows: Object.entries(values), values })
  const { rows } = typed
  const change = (next: readonly Row[]) => {
    const kept = valuesOf(next)
    setTyped({ rows: next, values: kept })
    onChange(kept)
  }
  const addSeen = () => {
    const known = new Set(rows.map(([source]) => source))
    change([
      ...rows,
      ...seen()
        .filter((text) => !known.has(text))
        .map((text): Row => [text, text]),
    ])
  }
  return (
    <>
      <ul className={styles.rows}>
        {rows.map(([source, ours], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; both of its sides may be empty
          <li key={place} className={styles.row}>
            <TextField
              label={t('lookup.source', { place: place + 1 })}
              hideLabel
              placeholder={t('lookup.sourceShort')}
              longest={300}
              value={source}
              onChange={(text) => change(rows.with(place, [text, ours]))}
            />
            <Icon of={IconArrowRight} size={14} mirrors />
            <TextField
              label={t('lookup.ours', { place: place + 1 })}
              hideLabel
              placeholder={t('lookup.oursShort')}
              longest={1000}
              value={ours}
              onChange={(text) => change(rows.with(place, [source, text]))}
            />
            <IconButton
              small
              icon={IconX}
              label={t('lookup.remove', { place: place + 1 })}
              onClick={() => change(rows.toSpliced(place, 1))}
            />
          </li>
        ))}
      </ul>
      <div className={styles.tools}>
        <Button icon={IconPlus} onClick={() => change([...rows, ['', '']])}>
          {t('lookup.add')}
        </Button>
        <Button icon={IconListSearch} onClick={addSeen}>
          {t('lookup.addSeen')}
        </Button>
      </div>
    </>
  )
}
