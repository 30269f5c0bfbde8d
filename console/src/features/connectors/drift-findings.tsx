import type { Connector } from '@instep/contract/connectors.ts'
import {
  DECISIONS_OF,
  DRIFT_KINDS,
  type DriftDecision,
  type DriftFinding,
  type DriftKind,
  type DriftRun,
  decideDrift,
  listAcceptedDrift,
  listDriftFindings,
} from '@instep/contract/drift.ts'
import { getTargetSummary } from '@instep/contract/provisioning.ts'
import { Button } from '@instep/ui/button.tsx'
import { CountTabs } from '@instep/ui/count-tabs.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { endpointKey, usePages, useWork } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { accountValue } from '../../shared/account-value.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './connectors.module.css'
import { DriftLink } from './drift-link.tsx'

interface DriftFindingsProps {
  connector: Connector
  run: DriftRun
}

/** What a read-back found and nobody has decided, by kind; decided for those that are ticked, or for all of the kind. */
export function DriftFindings({ connector, run }: DriftFindingsProps) {
  const { t } = useTranslation('targets')
  const { number } = useFormat()
  const [chosen, setChosen] = useState<DriftKind>(() => DRIFT_KINDS.find((kind) => run[kind] > 0) ?? 'changed')
  return (
    <>
      <CountTabs
        label={t('drift.title')}
        tabs={DRIFT_KINDS.map((key) => ({ key, label: t(`drift.kinds.${key}`), count: number(run[key]) }))}
        current={chosen}
        onChange={setChosen}
        panelId="drift-panel"
      />
      <div id="drift-panel" role="tabpanel" aria-label={t(`drift.kinds.${chosen}`)}>
        <Findings key={chosen} connector={connector} run={run} kind={chosen} />
      </div>
    </>
  )
}

function Findings({ connector, run, kind }: DriftFindingsProps & { kind: DriftKind }) {
  const { t } = useTranslation(['targets', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(() => new Set())
  const [sure, setSure] = useState<DriftDecision | null>(null)
  const [linking, setLinking] = useState<DriftFinding | null>(null)
  const params = { tenantId, id: connector.id, runId: run.id }
  const columns = useColumns(kind, setLinking)
  const { mutate: decide, isPending, variables } = useDecide(params, kind)
  const list = usePages(listDriftFindings, {
    key: [run.id, kind],
    inputOf: (continuationToken) => ({
      params,
      query: { kind, pageSize: 25, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const act = (decision: DriftDecision) => {
    const onSettled = () => {
      setTicked(new Set())
      setSure(null)
    }
    decide({ decision, sequences: ticked.size > 0 ? [...ticked].map(Number) : undefined }, { onSettled })
  }
  const nothing = !list.rows?.length
  return (
    <div className={styles.accounts}>
      <DataTable
        label={t(`drift.kinds.${kind}`)}
        columns={columns}
        rows={list.rows}
        rowKey={(row) => String(row.sequence)}
        selection={{
          selected: ticked,
          onChange: setTicked,
          allLabel: t('drift.tickPage'),
          rowLabel: (row) => t('drift.tick', { name: row.person?.displayName ?? row.name ?? row.remoteId }),
        }}
        empty={<EmptyState title={t('drift.decidedAll')} />}
        error={list.error && <ProblemNotice error={list.error} onRetry={list.refetch} />}
      />
      <TableFooter
        rows={list.rows}
        shown={list.rows && t('drift.shown', { count: list.rows.length, shown: number(list.rows.length) })}
        more={
          list.hasNextPage ? { label: t('common:showMore'), busy: list.isFetchingNextPage, onMore: () => list.fetchNextPage() } : undefined
        }
      />
      <div className={styles.decisions} role="toolbar" aria-label={t('drift.decide')}>
        <span role="status">{ticked.size > 0 ? t('drift.ticked', { count: ticked.size }) : t('drift.allOfKind')}</span>
        {DECISIONS_OF[kind]
          .filter((decision) => decision !== 'link')
          .map((decision) => (
            <Button
              key={decision}
              busy={isPending && variables?.decision === decision}
              disabledReason={nothing ? t('drift.decidedAll') : undefined}
              onClick={() => (ticked.size > 0 ? act(decision) : setSure(decision))}
            >
              {t(`drift.decisions.${decision}`)}
            </Button>
          ))}
      </div>
      {sure && (
        <Dialog
          opened
          onClose={() => setSure(null)}
          title={t('drift.sure', { action: t(`drift.decisions.${sure}`), count: run[kind], amount: number(run[kind]) })}
          footer={
            <FormButtons label={t(`drift.decisions.${sure}`)} busy={isPending} onCancel={() => setSure(null)} onSubmit={() => act(sure)} />
          }
        >
          <p>{t(`drift.sureText.${sure}`)}</p>
        </Dialog>
      )}
      {linking && <DriftLink params={params} finding={linking} onClose={() => setLinking(null)} />}
    </div>
  )
}

interface Decided {
  decision: DriftDecision
  /** Those that were picked; all that are left without them. */
  sequences?: number[] | undefined
}

/** Decides, a thousand at a time until none is left, and shows the lists anew. */
const useDecide = (params: { tenantId: string; id: string; runId: string }, kind: DriftKind) => {
  const { t } = useTranslation('targets')
  const api = useApi()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const decide = async ({ decision, sequences }: Decided): Promise<number> => {
    let count = 0
    for (;;) {
      const answer = await api.call(decideDrift, { params, body: { decision, kind, ...(sequences ? { sequences } : {}) } })
      count += answer.decided
      if (sequences || answer.decided === 0 || answer.remaining === 0) return count
    }
  }
  return useWork(decide, {
    onSuccess: (count) => showToast({ kind: 'done', text: t('drift.done', { count }) }),
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
    onSettled: () => {
      for (const endpoint of [listDriftFindings, listAcceptedDrift, getTargetSummary])
        void cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
    },
  })
}

const useColumns = (kind: DriftKind, onLink: (finding: DriftFinding) => void): readonly Column<DriftFinding>[] => {
  const { t } = useTranslation('targets')
  return useMemo(() => {
    const account: Column<DriftFinding> = {
      key: 'account',
      header: t('drift.columns.account'),
      width: '300px',
      cell: (row) => <bdi>{row.person?.displayName ?? row.name ?? row.remoteId}</bdi>,
    }
    const person: Column<DriftFinding> = {
      key: 'person',
      header: t('drift.columns.person'),
      width: '160px',
      cell: ({ person: whose }) =>
        whose && (
          <AppLink href={paths.people({ userId: whose.id, connectorId: whose.connectorId })}>
            <bdi className="figures">{whose.employeeId}</bdi>
          </AppLink>
        ),
    }
    const remote: Column<DriftFinding> = {
      key: 'remote',
      header: t('drift.columns.remoteId'),
      cell: (row) => <bdi className={styles.wrap}>{row.remoteId}</bdi>,
    }
    if (kind === 'missing') return [account, person, remote]
    if (kind === 'unknown')
      return [
        account,
        remote,
        {
          key: 'link',
          header: t('drift.columns.link'),
          width: '160px',
          cell: (row) => <Button onClick={() => onLink(row)}>{t('drift.decisions.link')}</Button>,
        },
      ]
    return [account, person, { key: 'changes', header: t('drift.columns.changes'), cell: (row) => <Changes row={row} /> }]
  }, [t, kind, onLink])
}

function Changes({ row }: { row: DriftFinding }) {
  const { t } = useTranslation('targets')
  return (
    <ul className={`${styles.list} ${styles.wrap}`}>
      {row.changes.map(({ attribute, applied, found }) => (
        <li key={attribute}>
          <bdi>{attribute}</bdi>{' '}
          {t('drift.change', { applied: accountValue(applied) ?? t('drift.noValue'), found: accountValue(found) ?? t('drift.noValue') })}
        </li>
      ))}
    </ul>
  )
}
