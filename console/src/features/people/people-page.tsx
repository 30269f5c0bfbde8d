import type { UserRow } from '@instep/contract/users.ts'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import type { ExportWho } from './export-dialog.tsx'
import { PeopleActions, useExportOff } from './people-actions.tsx'
import { PeopleBar } from './people-bar.tsx'
import { peopleKey } from './people-list.rules.ts'
import { PeopleTable } from './people-table.tsx'
import { PeopleToolbar } from './people-toolbar.tsx'
import { usePeople } from './use-people.ts'
import { usePeopleList } from './use-people-list.ts'
import { useSelection } from './use-selection.ts'
import { useSyncOff } from './use-sync-off.ts'
import { ViewsMenu } from './views-menu.tsx'

const PersonDrawer = lazy(() => import('./person-drawer.tsx').then((module) => ({ default: module.PersonDrawer })))
const FilterDrawer = lazy(() => import('./filter-drawer.tsx').then((module) => ({ default: module.FilterDrawer })))
const ActiveFilters = lazy(() => import('./active-filters.tsx').then((module) => ({ default: module.ActiveFilters })))
const ExportDialog = lazy(() => import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })))
const SyncDialog = lazy(() => import('./sync-dialog.tsx').then((module) => ({ default: module.SyncDialog })))
const SyncRun = lazy(() => import('./sync-run.tsx').then((module) => ({ default: module.SyncRun })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then((module) => ({ default: module.MoveDialog })))
const ExportRun = lazy(() => import('./export-run.tsx').then((module) => ({ default: module.ExportRun })))

/** People of the tenant or of one site. The address holds everything that is shown: filters, search, order, columns and the open profile. */
export function PeoplePage() {
  const { t } = useTranslation('people')
  const { siteId, tenantId } = useScope()
  const [search, changeSearch] = usePageSearch()
  const { list, change, chooseColumns } = usePeopleList()
  const people = usePeople(list)
  const selected = useSelection(people, `${tenantId} ${peopleKey(list, siteId)}`)
  const exportOff = useExportOff(list.connectorId)
  const [filtering, setFiltering] = useState(false)
  const [exporting, setExporting] = useState<ExportWho | null>(null)
  const [syncing, setSyncing] = useState(false)
  const syncOff = useSyncOff(selected)
  const [moving, setMoving] = useState(false)
  const [started, setStarted] = useState<string | null>(null)
  const narrowed = list.filters !== null || list.filtersLost || list.groupLost || list.siteGroupId !== null
  const runId = search['export']
  const syncId = search['sync']

  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={people.total}
        busy={people.isFetching}
        actions={
          <>
            <ViewsMenu list={list} onChange={change} />
            <ColumnsMenu columns={list.columns} onChange={chooseColumns} />
            <PeopleActions exportOff={exportOff} onExport={() => setExporting('list')} onCreate={() => changeSearch({ form: 'new' })} />
          </>
        }
      />
      <PeopleToolbar list={list} onChange={change} onFilter={() => setFiltering(true)} />
      {narrowed && (
        <Suspense fallback={null}>
          <ActiveFilters list={list} onChange={change} onEdit={() => setFiltering(true)} />
        </Suspense>
      )}
      {runId && (
        <Suspense fallback={null}>
          <ExportRun
            key={runId}
            runId={runId}
            fresh={runId === started}
            onDismiss={() => changeSearch({ export: undefined }, { replace: true })}
          />
        </Suspense>
      )}
      {syncId && (
        <Suspense fallback={null}>
          <SyncRun key={syncId} runId={syncId} onDismiss={() => changeSearch({ sync: undefined }, { replace: true })} />
        </Suspense>
      )}
      <PeopleTable
        people={people}
        list={list}
        onChange={change}
        selected={selected}
        openId={search['userId'] ?? null}
        onOpen={(row: UserRow) => changeSearch({ userId: row.id, connectorId: row.connectorId })}
        bulk={
          selected.size > 0 && (
            <PeopleBar
              people={people}
              selected={selected}
              exportOff={exportOff}
              onExport={() => setExporting('selected')}
              syncOff={syncOff}
              onSync={() => setSyncing(true)}
              onMove={() => setMoving(true)}
            />
          )
        }
      />
      {filtering && (
        <Suspense fallback={null}>
          <FilterDrawer list={list} onChange={change} onClose={() => setFiltering(false)} />
        </Suspense>
      )}
      {exporting && (
        <Suspense fallback={null}>
          <ExportDialog
            people={people}
            list={list}
            selected={selected}
            who={exporting}
            onStarted={(run) => {
              setStarted(run)
              changeSearch({ export: run }, { replace: true })
            }}
            onClose={() => setExporting(null)}
          />
        </Suspense>
      )}
      {syncing && (
        <Suspense fallback={null}>
          <SyncDialog
            selected={selected}
            onStarted={(run) => changeSearch({ sync: run }, { replace: true })}
            onClose={() => setSyncing(false)}
          />
        </Suspense>
      )}
      {moving && (
        <Suspense fallback={null}>
          <MoveDialog
            userIds={selected.ticked}
            onMoved={() => {
              selected.clear()
              void people.refetch()
            }}
            onClose={() => setMoving(false)}
          />
        </Suspense>
      )}
      <OpenPerson onSaved={() => void people.refetch()} />
    </Page>
  )
}

/** The drawer of the person that the address names, or of somebody new. */
function OpenPerson({ onSaved }: { onSaved: () => void }) {
  const { t } = useTranslation('people')
  const [search, change] = usePageSearch()
  const userId = search['userId']
  const connectorId = search['connectorId']
  const close = () => change({ userId: undefined, connectorId: undefined }, { replace: true })
  if (search['form'] === 'new') {
    return (
      <Suspense fallback={null}>
        <PersonDrawer
          mode="create"
          connectorId={search['connector'] ?? null}
          onClose={() => change({ form: undefined }, { replace: true })}
          onSaved={onSaved}
        />
      </Suspense>
    )
  }
  if (userId && connectorId) {
    return (
      <Suspense fallback={null}>
        <PersonDrawer userId={userId} connectorId={connectorId} onClose={close} onSaved={onSaved} />
      </Suspense>
    )
  }
  return (
    <Drawer opened={false} onClose={close} title={t('profile.title')}>
      {null}
    </Drawer>
  )
}
