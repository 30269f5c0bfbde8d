import { DATE_FORMATS, type DateFormat } from '@instep/contract/date-formats.ts'
import { hasSource, type MappingGap, transformsOf } from '@instep/contract/mapped-field.ts'
import type { Column, Mapping } from '@instep/contract/sync.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { Button } from '@instep/ui/button.tsx'
import { FieldSection } from '@instep/ui/field-section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FIELD_GROUPS, type FieldGroup, isDate, isRequired, withColumn, withDateFormat, withField } from './mapping.rules.ts'
import styles from './sync.module.css'
import { type Sample, sampleResults } from './transform.rules.ts'
import { TransformDrawer } from './transform-drawer.tsx'

interface MappingTableProps {
  columns: readonly Column[]
  sample: Sample
  mapping: Mapping
  gaps: ReadonlyMap<UserFieldName, MappingGap>
  /** Whether what is missing is marked already. */
  showGaps: boolean
  onChange: (mapping: Mapping) => void
}

/** Every field of a person with the column it comes from, what is done to it on the way, and what stands in the file. */
export function MappingTable(props: MappingTableProps) {
  const { t } = useTranslation('sync')
  const { mapping, sample, onChange } = props
  const [opened, setOpened] = useState<UserFieldName | null>(null)
  return (
    <>
      {(Object.keys(FIELD_GROUPS) as FieldGroup[]).map((group) => (
        <FieldSection key={group} level={2} title={t(`groups.${group}`)}>
          {FIELD_GROUPS[group].map((field) => (
            <MappingField key={field} field={field} onTransform={() => setOpened(field)} {...props} />
          ))}
        </FieldSection>
      ))}
      <TransformDrawer
        field={opened}
        mapping={mapping}
        sample={sample}
        onChange={(field, from) => onChange(withField(mapping, field, from))}
        onClose={() => setOpened(null)}
      />
    </>
  )
}

interface MappingFieldProps extends MappingTableProps {
  field: UserFieldName
  onTransform: () => void
}

const SHOWN = 3

/** Three values of the file, as the transforms leave them where there are any. */
const samplesOf = ({ field, mapping, columns, sample }: MappingFieldProps): string[] => {
  const given = mapping.fields[field]
  if (!given) return []
  if (transformsOf(given).length === 0)
    return (
      columns
        .find(({ name }) => name === given.column)
        ?.samples.filter(Boolean)
        .slice(0, SHOWN) ?? []
    )
  const values = sampleResults(field, given, sample).flatMap(({ result }) => (result.kind === 'value' ? [result.value] : []))
  return [...new Set(values)].slice(0, SHOWN)
}

function MappingField(props: MappingFieldProps) {
  const { field, columns, mapping, gaps, showGaps, onChange, onTransform } = props
  const { t } = useTranslation(['sync', 'people', 'common', 'transform'])
  const given = mapping.fields[field]
  const gap = gaps.get(field)
  const label = t(`people:fields.${field}`)
  const samples = samplesOf(props)
  const steps = given ? transformsOf(given).length : 0
  const error =
    gap === 'column'
      ? t('common:selectValue', { value: t('mapping.column') })
      : gap && gap !== 'dateFormat'
        ? t('transform:incomplete')
        : undefined
  return (
    <div className={styles.mappingField}>
      <SelectField
        name={`map-${field}`}
        label={label}
        required={isRequired(field)}
        error={showGaps ? error : undefined}
        hint={samples.length > 0 ? <bdi>{samples.join(' · ')}</bdi> : undefined}
        value={given?.column ?? ''}
        options={[
          { value: '', label: t(given && hasSource(given) ? 'transform:noColumn' : 'mapping.none') },
          ...columns.map(({ name }) => ({ value: name, label: name })),
        ]}
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
      <Button
        variant="quiet"
        icon={IconArrowsExchange}
        aria-label={t('transform:openOf', { field: label, count: steps })}
        onClick={onTransform}
      >
        {t('transform:open', { count: steps })}
      </Button>
    </div>
  )
}
