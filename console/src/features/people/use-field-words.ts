import type { ClaimField } from '@instep/contract/settings.ts'
import type { UserForm } from '@instep/contract/user-form.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { languageName } from '../../shared/language-name.ts'
import { useScope } from '../../shared/scope.tsx'
import type { FieldProblem, FormKey } from './user-form.problems.ts'
import { claimIdOf, type Reference, type Unit, type UnitValue } from './user-form.units.ts'

/** Names, values and problems of the form's fields in the reader's language. */
export const useFieldWords = (claims: readonly ClaimField[]) => {
  const { t } = useTranslation(['profile', 'people', 'common'])
  const { sites } = useScope()
  const { locale, date } = useFormat()
  return useMemo(() => {
    const labelOf = (key: FormKey, form: Pick<UserForm, 'accessCodeDelivery'>): string => {
      if (key === 'overrideReason' || key === 'overrideUntil') return t(`override.${key}`)
      const claim = claimIdOf(key)
      if (claim !== undefined) return claims.find(({ id }) => id === claim)?.displayName ?? t('form.claim')
      if (key === 'email') return t(form.accessCodeDelivery === 'email.work' ? 'people:fields.workEmail' : 'people:fields.personalEmail')
      if (key === 'phoneNumber') return t('form.phoneNumber')
      if (key === 'siteId') return t('form.site')
      if (key === 'employeeIdPrefix') return t('form.prefix')
      if (key === 'leader') return t('form.leader')
      if (key === 'active') return t('form.account')
      return t(`people:fields.${key}`)
    }
    const problemOf = (problem: FieldProblem, label: string): string => {
      if (problem === 'enter') return t('common:enterValue', { value: label.toLocaleLowerCase(locale) })
      if (problem === 'select') return t('common:selectValue', { value: label.toLocaleLowerCase(locale) })
      return t(`problem.${problem}`)
    }
    /** A value as a sentence names it; null for none. */
    const valueText = (unit: Unit, value: UnitValue): string | null => {
      if (typeof value === 'boolean') return t(value ? 'form.active' : 'form.inactive')
      if (unit === 'siteId') return sites?.find(({ id }) => id === value)?.name ?? t('form.unassigned')
      if (value === null || value === '') return null
      if (typeof value === 'object') return referenceText(value)
      if (unit === 'accessCodeDelivery') return value === 'none' ? t('form.none') : t(`common:delivery.${value.replace('.', '_')}`)
      if (unit === 'preferredLanguage' || unit === 'locale') return languageName(value, locale)
      const isClaimDate = claims.some(({ id, type }) => type === 'date' && id === claimIdOf(unit))
      return isClaimDate ? date(value) : value
    }
    return { labelOf, problemOf, valueText }
  }, [t, claims, sites, locale, date])
}

const referenceText = ({ value }: Reference): string | null => value || null

export type FieldWords = ReturnType<typeof useFieldWords>
