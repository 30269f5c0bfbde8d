import { type Connector, testConnector } from '@instep/contract/connectors.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { IconPlugConnected } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'
import styles from './connectors.module.css'

/** Asks the target whether it answers with the stored address and token, and says so in words. */
export function TargetTest({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const test = useAction(testConnector)
  const told = connector.definitionId === 'webhook'
  return (
    <div className={styles.test}>
      <Button icon={IconPlugConnected} busy={test.isPending} onClick={() => test.mutate({ params: { tenantId, id: connector.id } })}>
        {t(told ? 'test.event' : 'test.action')}
      </Button>
      {test.data && (
        <Banner tone="ok" boxed>
          {t(told ? 'test.eventTaken' : 'test.ok', { detail: test.data.detail })}
        </Banner>
      )}
      {test.error && (
        <Banner tone="danger" boxed alert>
          {problemText(test.error)}
        </Banner>
      )}
    </div>
  )
}
