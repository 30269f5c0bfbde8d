import type { AcceptedValue } from '@instep/contract/drift.ts'
import { useTranslation } from 'react-i18next'
import { accountValue } from './account-value.ts'

/** What of an account may differ, in words: our value and the target's. */
export function AcceptedWords({ value: { attribute, ours, theirs } }: { value: AcceptedValue }) {
  const { t } = useTranslation('targets')
  const shown = (value: unknown) => accountValue(value) ?? t('drift.noValue')
  if (attribute === null) return t('drift.accepted.missing')
  return <bdi>{t('drift.accepted.value', { attribute, ours: shown(ours), theirs: shown(theirs) })}</bdi>
}
