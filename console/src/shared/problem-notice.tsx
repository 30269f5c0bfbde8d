import { Button } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../api/api-problem.ts'
import { useProblemText } from '../api/use-problem-text.ts'

interface ProblemNoticeProps {
  error: unknown
  /** What went wrong as a whole; "Error occurred while fetching records." unless given. */
  title?: string | undefined
  onRetry?: (() => void) | undefined
}

/** In place of content that could not be fetched: what went wrong, the correlation id, and another try. */
export function ProblemNotice({ error, title, onRetry }: ProblemNoticeProps) {
  const { t } = useTranslation()
  const problemText = useProblemText()
  const correlationId = error instanceof ApiProblem ? error.correlationId : null
  return (
    <EmptyState
      alert
      icon={IconCloudOff}
      title={title ?? t('fetchFailed')}
      text={
        <>
          <p>{problemText(error)}</p>
          {correlationId && (
            <p className="mono">
              <bdi>{correlationId}</bdi>
            </p>
          )}
        </>
      }
      actions={onRetry && <Button onClick={onRetry}>{t('tryAgain')}</Button>}
    />
  )
}
