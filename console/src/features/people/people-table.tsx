import { PAGE_SIZES } from '@instep/contract/page.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import type { UserRow } from '@instep/contract/users.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconPlugConnectedX, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useOfferedConnectors } from '../../shared/use-offered-connectors.ts'
import styles from './people.module.css'
import { isFiltered, type PeopleList, sortOf, sortParts, UNFILTERED } from './people-list.rules.ts'
import type { People } from './use-people.ts'
import { usePeopleColumns } from './use-people-columns.tsx'
import type { ChangeList } from './use-people-list.ts'
import type { Selected } from './use-selection.ts'

interface PeopleTableProps {
  people: People
  list: PeopleList
  onChange: ChangeList
  selected: Selected
  openId: string | null
  onOpen: (row: UserRow) => void
  /** What may be done with those selected, floating above the footer. */
  bulk: ReactNode
}

/** The people of a list with the columns chosen; sorted by a press on a head, selected by their boxes. */
export function PeopleTable({ people, list, onChange, selected, openId, onOpen, bulk }: PeopleTableProps) {
  const { t } = useTranslation(['people', 'common'])
  const { columns, fixedWidth } = usePeopleColumns(list.columns)
  return (
    <>
      <div className={`${styles.list} ${bulk ? styles.selecting : ''}`}>
        <DataTable
          label={t('title')}
          columns={columns}
          fixedWidth={fixedWidth}
          rows={people.rows}
          rowKey={(row) => row.id}
          onOpen={onOpen}
          openKey={openId}
          sort={sortParts(list.sort)}
          onSort={(sort) => onChange({ sort: sortOf(sort) })}
          selection={{
            selected: selected.ticked,
            onChange: selected.tick,
            allLabel: t('selection.page'),
            rowLabel: (row) => t('selection.row', { name: row.displayName }),
          }}
          busy={people.isFetching}
          empty={isFiltered(list) ? <NoMatch onClear={() => onChange(UNFILTERED)} /> : <NoPeople />}
          error={
            people.error && (
              <ProblemNotice error={people.error} onRetry={people.isFetchNextPageError ? people.fetchNextPage : people.refetch} />
            )
          }
        />
        {bulk}
      </div>
      <TableFooter
        rows={people.rows}
        shown={people.shown}
        pageSize={{
          label: t('common:rowsPerPage'),
          value: list.pageSize,
          sizes: PAGE_SIZES,
          onChange: (pageSize) => onChange({ pageSize }, { replace: true }),
        }}
        more={
          people.hasNextPage
            ? { label: t('common:showMore'), busy: people.isFetchingNextPage, onMore: () => people.fetchNextPage() }
            : undefined
        }
      />
    </>
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
  const connectors = useOfferedConnectors()
  const mayImport = isTenantLevel(me.roles) && !siteId
  if (connectors?.length === 0 && !mayImport) {
    return <EmptyState icon={IconPlugConnectedX} title={t('connector.none')} text={t('connector.noneText')} />
  }
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
