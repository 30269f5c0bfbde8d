import { useTranslation } from 'react-i18next'
import { useValueWords } from '../../shared/use-value-words.ts'

/** The words of fields and of what people were found by, and a value as it is read. */
export const useCaseWords = () => {
  const { t } = useTranslation(['cases', 'people', 'matching'])
  return {
    labelOf: (field: string): string => t(`people:fields.${field}`, { defaultValue: field }),
    foundBy: (by: readonly string[]): string =>
      by.map((one) => t(`foundBy.${one}`, { defaultValue: t(`matching:keys.${one}.name`, { defaultValue: one }) })).join(', '),
    shown: useValueWords(),
  }
}
