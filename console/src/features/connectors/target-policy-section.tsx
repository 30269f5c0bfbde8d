import type { Connector } from '@instep/contract/connectors.ts'
import type { Limit } from '@instep/contract/guard-settings.ts'
import { getTargetPolicy, LEAVER_ACTIONS, type RemovalKind, type TargetPolicy, updateTargetPolicy } from '@instep/contract/target-policy.ts'
import { Button } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './guards.module.css'
import { TargetPolicyForm } from './target-policy-form.tsx'

/** What becomes of leavers at a target, what is never touched there, how many removals pass, and the pace. */
export function TargetPolicySection({ connector }: { connector: Connector }) {
  const { t } = useTranslation('targetPolicy')
  const { tenantId } = useScope()
  const [search, change] = usePageSearch()
  const refusal = useRefusal()
  const policy = useEndpoint(getTargetPolicy, { params: { tenantId, id: connector.id } })
  const close = () => change({ form: undefined }, { replace: true })
  return (
    <>
      <Section
        title={t('title')}
        actions={
          policy.data && (
            <Button icon={IconPencil} disabledReason={refusal.ofCall(updateTargetPolicy)} onClick={() => change({ form: 'policy' })}>
              {t('change')}
            </Button>
          )
        }
      >
        {policy.error && <ProblemNotice error={policy.error} onRetry={policy.refetch} />}
        {policy.data && <Shown policy={policy.data} />}
      </Section>
      <FramedDrawer
        opened={search['form'] === 'policy' && policy.data !== undefined}
        title={t('title')}
        aside={connector.name}
        onClose={close}
      >
        {policy.data && <TargetPolicyForm connectorId={connector.id} policy={policy.data} onClose={close} />}
      </FramedDrawer>
    </>
  )
}

function Shown({ policy }: { policy: TargetPolicy }) {
  const { t } = useTranslation('targetPolicy')
  const { number } = useFormat()
  const { leaver, removals, memberRemovals, pace, protectedAccounts } = policy
  const guardOf = (kind: RemovalKind, { on, percent, number: amount }: Limit) =>
    on ? t(`guardIs.${kind}`, { percent: number(percent), amount: number(amount) }) : t(`guardOff.${kind}`)
  const action = LEAVER_ACTIONS.find((one) => one === leaver.action) ?? 'disable'
  return (
    <ul className={styles.facts}>
      <li>{t(`leaverIs.${action === 'delete' && leaver.graceDays === 0 ? 'deleteAtOnce' : action}`, { count: leaver.graceDays })}</li>
      <li>{guardOf('accounts', removals)}</li>
      <li>{guardOf('members', memberRemovals)}</li>
      <li>{t('protectedPeople')}</li>
      {pace.concurrency !== null && <li>{t('concurrencyIs', { amount: number(pace.concurrency) })}</li>}
      {pace.perSecond !== null && <li>{t('perSecondIs', { amount: number(pace.perSecond) })}</li>}
      {protectedAccounts.map(({ by, value, reason }) => (
        <li key={`${by} ${value}`}>{t(reason ? 'accountBecause' : 'account', { by: t(`by.${by}`), value, reason })}</li>
      ))}
    </ul>
  )
}
