import { type Connector, testConnector } from '@instep/contract/connectors.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { IconPlugConnected } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'

/** The question whether a target answers, for a button and for what is said of the answer elsewhere on the page. */
export const useTargetTest = () => useAction(testConnector)

export type TargetTesting = ReturnType<typeof useTargetTest>

interface TargetTestProps {
  connector: Connector
  test: TargetTesting
}

/** Asks the target whether it answers with the stored address and secret. */
export function TargetTestButton({ connector, test }: TargetTestProps) {
  const { t } = useTranslation('connectors')
  const { tenantId } = useScope()
  return (
    <Button icon={IconPlugConnected} busy={test.isPending} onClick={() => test.mutate({ params: { tenantId, id: connector.id } })}>
      {t(connector.definitionId === 'webhook' ? 'test.event' : 'test.action')}
    </Button>
  )
}

/** What the target answered, in words; nothing until it was asked, and nothing of another connector's answer. */
export function TargetTestAnswer({ connector, test }: TargetTestProps) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText()
  if (test.variables?.params.id !== connector.id) return null
  if (test.error)
    return (
      <Banner tone="danger" boxed alert>
        {problemText(test.error)}
      </Banner>
    )
  if (!test.data) return null
  return (
    <Banner tone="ok" boxed>
      {t(connector.definitionId === 'webhook' ? 'test.eventTaken' : 'test.ok', { detail: test.data.detail })}
    </Banner>
  )
}
