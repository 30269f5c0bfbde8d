import {
  getTargetGroup,
  listTargetMembers,
  MEMBER_STATES,
  type MemberState,
  type TargetGroup,
  type TargetMember,
} from '@instep/contract/target-groups.ts'
import { CountTabs } from '@instep/ui/count-tabs.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint, usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useCauseWords } from '../../shared/use-cause-words.ts'
import styles from './connectors.module.css'
import { GroupStateMark } from './group-state-mark.tsx'

interface GroupDrawerProps {
  readonly connectorId: string
  /** Whether the target is switched off. */
  readonly off: boolean
  /** Undefined: closed. */
  readonly groupId: string | undefined
  readonly onClose: () => void
}

/** One group of a target with its members, by state. */
export function GroupDrawer({ connectorId, off, groupId, onClose }: GroupDrawerProps) {
  const { t } = useTranslation(['groups', 'common'])
  const { tenantId } = useScope()
  const params = { tenantId, id: connectorId, groupId: groupId ?? '' }
  const group = useEndpoint(getTargetGroup, { params }, { enabled: groupId !== undefined })
  return (
    <Drawer opened={groupId !== undefined} onClose={onClose} title={group.data?.name ?? t('one')} width="logs">
      {group.error ? (
        <ProblemNotice error={group.error} onRetry={group.refetch} />
      ) : group.data ? (
        <Members key={group.data.id} connectorId={connectorId} group={group.data} off={off} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Drawer>
  )
}

function Members({ connectorId, group, off }: { connectorId: string; group: TargetGroup; off: boolean }) {
  const { t } = useTranslation(['groups', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const [chosen, choose] = useState<MemberState>()
  const state = chosen ?? MEMBER_STATES.find((each) => each !== 'inStep' && group.members[each] > 0) ?? 'inStep'
  const members = usePages(listTargetMembers, {
    key: [group.id, state, group.members[state]],
    inputOf: (continuationToken) => ({
      params: { tenantId, id: connectorId, groupId: group.id },
      query: { state, pageSize: 50, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const columns = useColumns(state)
  return (
    <>
      <p>
        <GroupStateMark group={group} off={off} /> {group.lastError && <span className={styles.wrap}>{group.lastError}</span>}
      </p>
      <CountTabs
        label={t('columns.members')}
        tabs={MEMBER_STATES.map((key) => ({ key, label: t(`members.${key}`), count: number(group.members[key]) }))}
        current={state}
        onChange={(next) => choose(MEMBER_STATES.find((each) => each === next))}
        panelId="members-panel"
      />
      <div id="members-panel" role="tabpanel" aria-label={t(`members.${state}`)}>
        <DataTable
          label={t(`members.${state}`)}
          columns={columns}
          rows={members.rows}
          rowKey={(row) => row.userId}
          empty={<EmptyState title={t('noMembers')} />}
          error={members.error && <ProblemNotice error={members.error} onRetry={members.refetch} />}
        />
        <TableFooter
          rows={members.rows}
          shown={members.rows && t('membersShown', { shown: number(members.rows.length), total: number(group.members[state]) })}
          more={
            members.hasNextPage
              ? { label: t('common:showMore'), busy: members.isFetchingNextPage, onMore: () => members.fetchNextPage() }
              : undefined
          }
        />
      </div>
    </>
  )
}

const useColumns = (state: MemberState): readonly Column<TargetMember>[] => {
  const { t } = useTranslation('groups')
  const causeWords = useCauseWords()
  return useMemo(() => {
    const person: Column<TargetMember> = {
      key: 'person',
      header: t('columns.person'),
      cell: (row) => (
        <>
          <AppLink href={paths.people({ userId: row.userId, connectorId: row.connectorId })}>{row.displayName}</AppLink>{' '}
          <bdi className="figures">{row.employeeId}</bdi>
        </>
      ),
    }
    if (state === 'inStep' || state === 'waiting') return [person]
    return [
      person,
      { key: 'wanted', header: t('columns.wanted'), cell: (row) => t(row.wanted ? 'toAdd' : 'toRemove'), width: '150px' },
      {
        key: 'error',
        header: t('columns.error'),
        cell: (row) => <span className={styles.wrap}>{row.lastError ?? (row.cause && causeWords(row.cause)) ?? '–'}</span>,
      },
    ]
  }, [t, state, causeWords])
}
