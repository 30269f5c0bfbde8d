import { hasSource } from '@instep/contract/mapped-field.ts'
import type { FieldMapping } from '@instep/contract/sync.ts'
import type { WhenEmpty } from '@instep/contract/transforms.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { Section } from '@instep/ui/section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useTranslation } from 'react-i18next'
import { isDate, isRequired } from './mapping.rules.ts'
import styles from './transform.module.css'

interface EmptyPolicyProps {
  field: UserFieldName
  from: FieldMapping
  onChange: (from: FieldMapping) => void
}

const POLICIES = ['clear', 'keep', 'default'] as const satisfies readonly WhenEmpty['policy'][]

const policyOf = (policy: string): WhenEmpty | undefined =>
  policy === 'default' ? { policy, text: '' } : policy === 'keep' ? { policy } : undefined

/** What a cell that is empty after the last step says of the person. */
export function EmptyPolicy({ field, from, onChange }: EmptyPolicyProps) {
  const { t } = useTranslation('transform')
  if (!hasSource(from)) return null
  const { whenEmpty, ...others } = from
  const offered = POLICIES.filter((policy) => policy !== 'keep' || !isRequired(field))
  return (
    <Section title={t('empty.title')} ruled>
      <div className={styles.fields}>
        <SelectField
          label={t('empty.label')}
          value={whenEmpty?.policy ?? 'clear'}
          options={offered.map((value) => ({
            value,
            label: t(isRequired(field) && value === 'clear' ? 'empty.refuse' : `empty.${value}`),
          }))}
          onChange={(policy) => {
            const next = policyOf(policy)
            onChange(next ? { ...others, whenEmpty: next } : others)
          }}
        />
        {whenEmpty?.policy === 'default' && (
          <TextField
            label={t('empty.text')}
            hint={isDate(field) ? t('empty.dateHint') : undefined}
            error={whenEmpty.text === '' ? t('missing') : undefined}
            longest={300}
            value={whenEmpty.text}
            onChange={(text) => onChange({ ...others, whenEmpty: { policy: 'default', text } })}
          />
        )}
      </div>
    </Section>
  )
}
