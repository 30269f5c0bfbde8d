import { PAGE_SIZES } from '@instep/contract/page.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import type { UserRow } from '@instep/contract/users.ts'
import { Avatar } from '@instep/ui/avatar.tsx'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconCrown, IconLock, IconPencil, IconUsers } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AccountStatusMark } from '../../shared/account-status-mark.tsx'
import { AppLink } from '../../shared/app-link.tsx'
import { DeliveryMark } from '../../shared/delivery-mark.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './people.module.css'
import type { People } from './use-people.ts'

interface PeopleTableProps {
  people: People
  /** Whether a filter or search narrows the list, so that an empty one says so. */
  filtered: boolean
  openId: string | null
  onOpen: (row: UserRow) => void
  onClear: () => void
}

/** Name with employee id and marks, job over department, location, claim track, delivery, start date. */
export function PeopleTable({ people, filtered, openId, onOpen, onClear }: PeopleTableProps) {
  const { t } = useTranslation(['people', 'common'])
  const columns = useColumns()
  return (
    <>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={people.rows}
        rowKey={(row) => row.id}
        onOpen={onOpen}
        openKey={openId}
        busy={people.isFetching}
        empty={filtered ? <NoMatch onClear={onClear} /> : <NoPeople />}
        error={people.error && <ProblemNotice error={people.error} onRetry={people.refetch} />}
      />
      <TableFooter
        shown={people.shown}
        pageSize={{ label: t('common:rowsPerPage'), value: people.pageSize, sizes: PAGE_SIZES, onChange: people.setPageSize }}
        more={
          people.hasNextPage
            ? { label: t('common:showMore'), busy: people.isFetchingNextPage, onMore: () => people.fetchNextPage() }
            : undefined
        }
      />
    </>
  )
}

const useColumns = (): readonly Column<UserRow>[] => {
  const { t } = useTranslation('people')
  const { date } = useFormat()
  return useMemo(
    () => [
      { key: 'name', header: t('columns.name'), cell: (row) => <NameCell row={row} />, width: '32%' },
      {
        key: 'job',
        header: t('columns.job'),
        cell: (row) => (
          <>
            <div className={styles.clip}>{row.title ?? '–'}</div>
            <div className={styles.second}>{row.department}</div>
          </>
        ),
      },
      { key: 'location', header: t('columns.location'), cell: (row) => row.locationName ?? '–' },
      { key: 'account', header: t('columns.account'), cell: (row) => <AccountStatusMark status={row.status} />, width: '180px' },
      { key: 'delivery', header: t('columns.delivery'), cell: (row) => <DeliveryMark delivery={row.accessCodeDelivery} />, width: '84px' },
      {
        key: 'start',
        header: t('columns.startDate'),
        cell: (row) => <bdi>{row.startDate ? date(row.startDate) : '–'}</bdi>,
        width: '110px',
        figures: true,
      },
    ],
    [t, date],
  )
}

function NameCell({ row }: { row: UserRow }) {
  const { t } = useTranslation('people')
  return (
    <span className={styles.name}>
      <Avatar name={row.displayName} />
      <span className={styles.who}>{row.displayName}</span> <bdi className={`${styles.id} figures`}>{row.employeeId}</bdi>
      {row.locked && <IconMark icon={IconLock} label={t('locked')} tone="idle" />}
      {row.vip && <IconMark icon={IconCrown} label={t('vip')} tone="vip" />}
      {row.overridden && <IconMark icon={IconPencil} label={t('overridden')} tone="override" />}
    </span>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('people')
  return <EmptyState icon={IconUsers} title={t('noMatch')} actions={<Button onClick={onClear}>{t('clearFilters')}</Button>} />
}

/** Nobody yet; who may bring people in is shown the way. */
function NoPeople() {
  const { t } = useTranslation('people')
  const { me, siteId } = useScope()
  const mayImport = isTenantLevel(me.roles) && !siteId
  return (
    <EmptyState
      icon={IconUsers}
      title={t('nobody')}
      text={mayImport ? t('nobodyImport') : t('nobodyHere')}
      actions={
        mayImport && (
          <AppLink href={paths.connectors()} className={buttonClass('secondary')}>
            {t('toConnectors')}
          </AppLink>
        )
      }
    />
  )
}
