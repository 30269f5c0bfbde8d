import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

/** The words of fields and of what people were found by, and a value as it is read. */
export const useCaseWords = () => {
  const { t } = useTranslation(['cases', 'people', 'matching'])
  const { date } = useFormat()
  return {
    labelOf: (field: string): string => t(`people:fields.${field}`, { defaultValue: field }),
    foundBy: (by: readonly string[]): string =>
      by.map((one) => t(`foundBy.${one}`, { defaultValue: t(`matching:keys.${one}.name`, { defaultValue: one }) })).join(', '),
    shown: (field: string, value: string): string =>
      DATES.has(field as UserFieldName) && /^\d{4}-\d\d-\d\d$/.test(value) ? date(value) : value,
  }
}

const DATES: ReadonlySet<UserFieldName> = new Set(['startDate', 'endDate', 'dateOfBirth'])
