import type { Connector } from '@instep/contract/connectors.ts'
import { getTargetSummary, listTargetAccounts, retryTarget, TARGET_STATES, type TargetAccount } from '@instep/contract/provisioning.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { CountTabs } from '@instep/ui/count-tabs.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Section } from '@instep/ui/section.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint, usePages } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useCauseWords } from '../../shared/use-cause-words.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './connectors.module.css'
import { TargetFigures } from './target-figures.tsx'

const REFRESH_MS = 5_000

/** Whether the accounts at a target are in step, and if not, why; failures can be tried again by cause. */
export function TargetAccounts({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const [search, change] = usePageSearch()
  const summary = useEndpoint(getTargetSummary, { params: { tenantId, id: connector.id } }, { refetchInterval: REFRESH_MS })
  if (summary.error) return <ProblemNotice error={summary.error} onRetry={summary.refetch} />
  if (!summary.data) return null
  const { counts, causes } = summary.data
  const state =
    TARGET_STATES.find((one) => one === search['state']) ?? TARGET_STATES.find((one) => one !== 'inStep' && counts[one] > 0) ?? 'inStep'
  return (
    <Section title={t('accounts.title')}>
      <TargetFigures summary={summary.data} byHand={connector.definitionId === 'manual-target'} />
      <div className={styles.causes}>
        {causes.map(({ cause, count, example }) => (
          <Cause key={cause} connector={connector} cause={cause} count={count} example={example} />
        ))}
      </div>
      <CountTabs
        label={t('accounts.title')}
        tabs={TARGET_STATES.map((key) => ({ key, label: t(`accounts.states.${key}`), count: number(counts[key]) }))}
        current={state}
        onChange={(next) => change({ state: next }, { replace: true })}
        panelId="accounts-panel"
      />
      <div id="accounts-panel" role="tabpanel" aria-label={t(`accounts.states.${state}`)}>
        <Accounts connector={connector} state={state} amount={counts[state]} />
      </div>
    </Section>
  )
}

function Cause({ connector, cause, count, example }: { connector: Connector; cause: string; count: number; example: string }) {
  const { t } = useTranslation(['connectors', 'targets'])
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const causeWords = useCauseWords()
  const refusal = useRefusal()
  const retry = useAction(retryTarget, {
    onSuccess: ({ retried }) => {
      showToast({ kind: 'done', text: t('accounts.retried', { count: retried }) })
      cache.invalidateQueries({ queryKey: endpointKey(getTargetSummary) })
      cache.invalidateQueries({ queryKey: endpointKey(listTargetAccounts) })
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  return (
    <Banner
      tone="warn"
      boxed
      actions={
        <Button
          busy={retry.isPending}
          disabledReason={connector.enabled ? refusal.ofCall(retryTarget) : t('targets:drift.disabled')}
          onClick={() => retry.mutate({ params: { tenantId, id: connector.id }, body: { cause } })}
        >
          {t('accounts.retry')}
        </Button>
      }
    >
      <strong>
        {t('accounts.cause', { count })} {causeWords(cause)}
      </strong>
      <div className={styles.wrap}>{t('accounts.example', { example })}</div>
    </Banner>
  )
}

function Accounts({ connector, state, amount }: { connector: Connector; state: (typeof TARGET_STATES)[number]; amount: number }) {
  const { t } = useTranslation(['connectors', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const columns = useColumns(state)
  const accounts = usePages(listTargetAccounts, {
    // the count is part of the key, so that the list follows what the summary says
    key: [connector.id, state, amount],
    inputOf: (continuationToken) => ({
      params: { tenantId, id: connector.id },
      query: { state, pageSize: 10, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  return (
    <div className={styles.accounts}>
      <DataTable
        label={t(`accounts.states.${state}`)}
        columns={columns}
        rows={accounts.rows}
        rowKey={(row) => row.userId}
        empty={<EmptyState title={t('accounts.none')} />}
        error={accounts.error && <ProblemNotice error={accounts.error} onRetry={accounts.refetch} />}
      />
      <TableFooter
        rows={accounts.rows}
        shown={accounts.rows && t('accounts.shown', { shown: number(accounts.rows.length), total: number(amount) })}
        more={
          accounts.hasNextPage
            ? { label: t('common:showMore'), busy: accounts.isFetchingNextPage, onMore: () => accounts.fetchNextPage() }
            : undefined
        }
      />
    </div>
  )
}

const useColumns = (state: string): readonly Column<TargetAccount>[] => {
  const { t } = useTranslation('connectors')
  const { instant } = useFormat()
  const causeWords = useCauseWords()
  return useMemo(() => {
    const person: Column<TargetAccount> = {
      key: 'person',
      header: t('accounts.columns.person'),
      width: '280px',
      cell: (row) => (
        <>
          <AppLink href={paths.people({ userId: row.userId, connectorId: row.connectorId })}>{row.displayName}</AppLink>{' '}
          <bdi className="figures">{row.employeeId}</bdi>
        </>
      ),
    }
    if (state === 'inStep') return [person]
    return [
      person,
      {
        key: 'error',
        header: t('accounts.columns.error'),
        cell: (row) => (
          <span className={styles.wrap}>
            {row.cause === 'TARGET_WAITS' ? causeWords(row.cause) : (row.lastError ?? (row.cause && causeWords(row.cause)) ?? '–')}
          </span>
        ),
      },
      {
        key: 'attempts',
        header: t('accounts.columns.attempts'),
        cell: (row) => <bdi>{row.attempts}</bdi>,
        width: '90px',
        align: 'end',
        figures: true,
      },
      {
        key: 'next',
        header: t('accounts.columns.next'),
        cell: (row) => <bdi>{row.nextTryAt ? instant(row.nextTryAt) : '–'}</bdi>,
        width: '170px',
        figures: true,
      },
    ]
  }, [t, instant, state, causeWords])
}
