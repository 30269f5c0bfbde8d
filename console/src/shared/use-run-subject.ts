import type { Run } from '@instep/contract/sync.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/use-format.ts'

type Subject = Pick<Run, 'fileName' | 'createdAt' | 'trial' | 'undoes'>

/** What a run is about: its file, the run that it takes back, or what it tries a configuration on. */
export const useRunSubject = () => {
  const { t } = useTranslation()
  const { instant } = useFormat()
  const subject = useCallback(
    ({ fileName, createdAt, trial, undoes }: Subject): string => {
      if (undoes) return t('runSubject.undo', { what: undoes.fileName ?? instant(undoes.createdAt) })
      const what = fileName ?? instant(createdAt)
      return trial ? t('runSubject.trial', { what }) : what
    },
    [t, instant],
  )
  return { subject }
}
