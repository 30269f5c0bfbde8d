import type { Operator } from '@instep/contract/conditions.ts'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type DraftComparison, type Flaw, operatorsOf, withField, withOperator } from './condition-draft.rules.ts'
import { fieldGroups } from './condition-fields.rules.ts'
import styles from './conditions.module.css'
import { useConditionNames } from './use-condition-names.ts'
import { ValueInput } from './value-input.tsx'

interface ComparisonRowProps {
  comparison: DraftComparison
  /** What to point out as missing. */
  flaw: Flaw | undefined
  /** Fields to choose from, where not every field is. */
  offered: readonly string[] | undefined
  onChange: (comparison: DraftComparison) => void
  onRemove: () => void
}

/** One comparison: a field, what is asked of it, and the value asked for. */
export function ComparisonRow({ comparison, flaw, offered, onChange, onRemove }: ComparisonRowProps) {
  const { t } = useTranslation('conditions')
  const names = useConditionNames()
  const { field, operator } = comparison
  const options = fieldGroups(offered ?? names.fields, field).flatMap(({ group, fields }) =>
    fields
      .map((value) => ({ value, label: names.fieldName(value), group: t(`groups.${group}`) }))
      .sort((a, b) => a.label.localeCompare(b.label)),
  )
  return (
    <div className={styles.row} data-node={comparison.id}>
      <SelectField
        label={t('field')}
        hideLabel
        toolbar
        value={field}
        error={flaw === 'field' ? t('pickField') : null}
        options={[{ value: '', label: t('pickField'), disabled: true }, ...options]}
        onChange={(next) => onChange(withField(comparison, next))}
      />
      <SelectField
        label={t('operator')}
        hideLabel
        toolbar
        disabled={field === ''}
        value={operator}
        error={flaw === 'operator' ? t('pickOperator') : null}
        options={operatorsOf(field).map((value) => ({ value, label: t(`operators.${value}`) }))}
        onChange={(next) => onChange(withOperator(comparison, next as Operator))}
      />
      <div className={styles.value}>
        {field !== '' && (
          <ValueInput
            comparison={comparison}
            names={names}
            error={flaw === 'value' ? t('enterValue') : null}
            onChange={(value) => onChange({ ...comparison, value })}
          />
        )}
      </div>
      <IconButton icon={IconX} label={t('removeCondition')} onClick={onRemove} />
    </div>
  )
}
