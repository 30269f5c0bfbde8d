import { EXPORT_COLUMNS, type ExportColumn } from '@instep/contract/user-columns.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { useTranslation } from 'react-i18next'
import styles from './export.module.css'
import { withExportColumn } from './export.rules.ts'

interface ExportColumnsChoiceProps {
  columns: readonly ExportColumn[]
  onChange: (columns: readonly ExportColumn[]) => void
}

/** Every column that a file can have, to tick. */
export function ExportColumnsChoice({ columns, onChange }: ExportColumnsChoiceProps) {
  const { t } = useTranslation('people')
  const fields: readonly string[] = userFieldNames
  const label = (column: ExportColumn) => (fields.includes(column) ? t(`fields.${column}`) : t(`export.own.${column}`))
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{t('export.columns.label')}</legend>
      {EXPORT_COLUMNS.map((column) => (
        <Checkbox
          key={column}
          label={label(column)}
          showLabel
          checked={columns.includes(column)}
          onChange={(ticked) => onChange(withExportColumn(columns, column, ticked))}
        />
      ))}
    </fieldset>
  )
}
