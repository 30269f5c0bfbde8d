import type { ProtectedAccount } from '@instep/contract/target-policy.ts'
import { Button } from '@instep/ui/button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useTranslation } from 'react-i18next'
import styles from './guards.module.css'

interface ProtectedAccountsProps {
  value: readonly ProtectedAccount[]
  onChange: (value: ProtectedAccount[]) => void
}

const KINDS: readonly ProtectedAccount['by'][] = ['userName', 'remoteId']

/** The list of accounts at a target that are never touched. */
export function ProtectedAccounts({ value, onChange }: ProtectedAccountsProps) {
  const { t } = useTranslation('targetPolicy')
  const replace = (index: number, part: Partial<ProtectedAccount>) =>
    onChange(value.map((account, at) => (at === index ? { ...account, ...part } : account)))
  return (
    <fieldset className={styles.kind}>
      <legend>{t('accounts')}</legend>
      <p className={styles.muted}>{t('accountsHint')}</p>
      {value.map((account, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and only the one removed goes
        <div key={index} className={styles.site}>
          <SelectField
            label={t('accountBy')}
            value={account.by}
            options={KINDS.map((by) => ({ value: by, label: t(`by.${by}`) }))}
            onChange={(by) => replace(index, { by: KINDS.find((one) => one === by) ?? 'userName' })}
          />
          <TextField
            label={t('accountValue')}
            dir="ltr"
            longest={300}
            value={account.value}
            onChange={(text) => replace(index, { value: text })}
          />
          <TextField label={t('accountReason')} longest={300} value={account.reason} onChange={(reason) => replace(index, { reason })} />
          <Button onClick={() => onChange(value.filter((_, at) => at !== index))}>{t('removeAccount')}</Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...value, { by: 'userName', value: '', reason: '' }])}>{t('addAccount')}</Button>
      </div>
    </fieldset>
  )
}
