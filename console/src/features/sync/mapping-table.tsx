import { type Column, DATE_FORMATS, type DateFormat, type Mapping } from '@instep/contract/sync.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { FieldSection } from '@instep/ui/field-section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { useTranslation } from 'react-i18next'
import { FIELD_GROUPS, type FieldGroup, type Gap, isDate, isRequired, withColumn, withDateFormat } from './mapping.rules.ts'
import styles from './sync.module.css'

interface MappingTableProps {
  columns: readonly Column[]
  mapping: Mapping
  gaps: ReadonlyMap<UserFieldName, Gap>
  /** Whether what is missing is marked already. */
  showGaps: boolean
  onChange: (mapping: Mapping) => void
}

/** Every field of a person with the column it comes from and what stands in that column. */
export function MappingTable(props: MappingTableProps) {
  const { t } = useTranslation('sync')
  return (Object.keys(FIELD_GROUPS) as FieldGroup[]).map((group) => (
    <FieldSection key={group} level={2} title={t(`groups.${group}`)}>
      {FIELD_GROUPS[group].map((field) => (
        <MappingField key={field} field={field} {...props} />
      ))}
    </FieldSection>
  ))
}

function MappingField({ field, columns, mapping, gaps, showGaps, onChange }: MappingTableProps & { field: UserFieldName }) {
  const { t } = useTranslation(['sync', 'people', 'common'])
  const given = mapping.fields[field]
  const column = columns.find(({ name }) => name === given?.column)
  const gap = gaps.get(field)
  const label = t(`people:fields.${field}`)
  const samples = column?.samples.filter(Boolean).slice(0, 3) ?? []
  return (
    <div className={styles.mappingField}>
      <SelectField
        name={`map-${field}`}
        label={label}
        required={isRequired(field)}
        error={showGaps && gap === 'column' ? t('common:selectValue', { value: t('mapping.column') }) : undefined}
        hint={samples.length > 0 ? <bdi>{samples.join(' · ')}</bdi> : undefined}
        value={given?.column ?? ''}
        options={[{ value: '', label: t('mapping.none') }, ...columns.map(({ name }) => ({ value: name, label: name }))]}
        onChange={(name) =>
          onChange(
            withColumn(
              mapping,
              field,
              columns.find((one) => one.name === name),
            ),
          )
        }
      />
      {given && isDate(field) && (
        <SelectField
          name={given.dateFormat ? undefined : `map-${field}`}
          label={t('mapping.dateFormat', { field: label })}
          required
          error={gap === 'dateFormat' ? t('mapping.dateAsk', { sample: samples[0] ?? '' }) : undefined}
          value={given.dateFormat ?? ''}
          options={[
            ...(given.dateFormat ? [] : [{ value: '', label: t('mapping.dateChoose') }]),
            ...DATE_FORMATS.map((format) => ({ value: format, label: t(`dateFormats.${format}`) })),
          ]}
          onChange={(format) => onChange(withDateFormat(mapping, field, format as DateFormat))}
        />
      )}
    </div>
  )
}
