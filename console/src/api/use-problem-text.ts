import { useTranslation } from 'react-i18next'
import { problemText } from './problem-text.ts'

/** `problemText` in the reader's language, its namespace loaded. */
export const useProblemText = (): ((error: unknown) => string) => {
  const { t } = useTranslation(['common', 'problems', 'shell'])
  return (error) => problemText(error, t)
}
