import type { Connector } from '@instep/contract/connectors.ts'
import { listTasks } from '@instep/contract/target-tasks.ts'
import { buttonClass } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { useScope } from '../../shared/scope.tsx'

const REFRESH_MS = 5_000

/** How many tasks of a target wait for a person, and the way to them. */
export function TargetTasks({ connector }: { connector: Connector }) {
  const { t } = useTranslation('tasks')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const tasks = useEndpoint(
    listTasks,
    { params: { tenantId }, query: { targetId: connector.id, pageSize: 1 } },
    { refetchInterval: REFRESH_MS },
  )
  const open = tasks.data?.count.value
  return (
    <Section
      title={t('onTarget.title')}
      actions={
        <AppLink href={paths.tasks(null, connector.id)} className={buttonClass('secondary')}>
          {t('onTarget.open')}
        </AppLink>
      }
    >
      {open !== undefined && <p>{open === 0 ? t('onTarget.none') : t('onTarget.text', { count: open, amount: number(open) })}</p>}
    </Section>
  )
}
