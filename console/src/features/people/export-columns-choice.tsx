import { attributeColumn, EXPORT_COLUMNS, type ExportColumn, type FileColumn } from '@instep/contract/user-columns.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { useTranslation } from 'react-i18next'
import styles from './export.module.css'
import { withExportColumn } from './export.rules.ts'
import { useOwnAttributes } from './use-claims.ts'

interface ExportColumnsChoiceProps {
  columns: readonly FileColumn[]
  onChange: (columns: readonly FileColumn[]) => void
}

/** Every column that a file can have, to tick; the tenant's own attributes come last. */
export function ExportColumnsChoice({ columns, onChange }: ExportColumnsChoiceProps) {
  const { t } = useTranslation('people')
  const fields: readonly string[] = userFieldNames
  const attributes = useOwnAttributes() ?? []
  const labelOf = (column: ExportColumn) => (fields.includes(column) ? t(`fields.${column}`) : t(`export.own.${column}`))
  const offered: readonly { column: FileColumn; label: string }[] = [
    ...EXPORT_COLUMNS.map((column) => ({ column, label: labelOf(column) })),
    ...attributes.map(({ id, displayName }) => ({ column: attributeColumn(id), label: displayName })),
  ]
  const all = offered.map(({ column }) => column)
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{t('export.columns.label')}</legend>
      {offered.map(({ column, label }) => (
        <Checkbox
          key={column}
          label={label}
          showLabel
          checked={columns.includes(column)}
          onChange={(ticked) => onChange(withExportColumn(columns, { column, chosen: ticked }, all))}
        />
      ))}
    </fieldset>
  )
}
