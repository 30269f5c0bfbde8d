import type { Condition } from '@instep/contract/conditions.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import type { ViewState } from '@instep/contract/saved-views.ts'
import { ACCOUNT_STATUSES, type AccountStatus, USER_SORTS } from '@instep/contract/users.ts'
import { readCondition, writeCondition } from '../../shared/conditions/read-condition.ts'
import type { PageSearch } from '../../shared/use-page-search.ts'
import { type ColumnKey, DEFAULT_COLUMNS, knownColumns, sameColumns } from './people-columns.rules.ts'

export type UserSort = (typeof USER_SORTS)[number]

/** A people list as its address says it. */
export interface PeopleList {
  readonly accountStatus: AccountStatus
  readonly searchText: string
  readonly connectorId: string | null
  readonly siteGroupId: string | null
  readonly filters: Condition | null
  /** The address held a filter that cannot be read. */
  readonly filtersLost: boolean
  /** The address named a site group that its reader does not see. */
  readonly groupLost: boolean
  readonly sort: UserSort
  readonly columns: readonly ColumnKey[]
  readonly pageSize: number
  /** The saved view that it came from. */
  readonly viewId: string | null
}

const among = <Value extends string>(values: readonly Value[], value: string | undefined): Value | undefined =>
  values.find((one) => one === value)

const DEFAULT_SORT: UserSort = 'displayName'
const DEFAULT_PAGE_SIZE = PAGE_SIZES[0]

/**
 * The list of an address; `preferred` are the columns that its reader chose last, `groups` the site groups that they see, undefined while they
 * load. What an address does not say, or says wrongly, is the default.
 */
export const readList = (search: PageSearch, preferred: readonly string[] | null, groups?: readonly { id: string }[]): PeopleList => {
  const asked = search['siteGroupId'] ?? null
  const groupLost = asked !== null && groups !== undefined && !groups.some(({ id }) => id === asked)
  const filters = search['filters'] ? (readCondition(search['filters']) ?? null) : null
  return {
    accountStatus: among(ACCOUNT_STATUSES, search['status']) ?? 'all',
    searchText: search['search'] ?? '',
    connectorId: search['connector'] ?? null,
    siteGroupId: groupLost ? null : asked,
    filters,
    filtersLost: Boolean(search['filters']) && filters === null,
    groupLost,
    sort: among(USER_SORTS, search['sort']) ?? DEFAULT_SORT,
    columns: search['columns'] === undefined ? knownColumns(preferred ?? DEFAULT_COLUMNS) : knownColumns(search['columns'].split('.')),
    pageSize: PAGE_SIZES.find((size) => String(size) === search['pageSize']) ?? DEFAULT_PAGE_SIZE,
    viewId: search['view'] ?? null,
  }
}

/** What of a list can be changed. */
export type ListChange = Partial<Omit<PeopleList, 'filtersLost' | 'groupLost'>>

const NO_COLUMNS = 'none'

/** The columns as an address says them: left out where its reader sees the same without. */
const columnsText = (columns: readonly ColumnKey[], preferred: readonly string[] | null): string | undefined => {
  const plain = sameColumns(columns, DEFAULT_COLUMNS) && (preferred === null || sameColumns(preferred, DEFAULT_COLUMNS))
  return plain ? undefined : columns.join('.') || NO_COLUMNS
}

/** A change of a list as a change of its address; defaults are left out of it. */
export const searchOf = (change: ListChange, preferred: readonly string[] | null): PageSearch => ({
  ...('accountStatus' in change ? { status: change.accountStatus === 'all' ? undefined : change.accountStatus } : {}),
  ...('searchText' in change ? { search: change.searchText || undefined } : {}),
  ...('connectorId' in change ? { connector: change.connectorId ?? undefined } : {}),
  ...('siteGroupId' in change ? { siteGroupId: change.siteGroupId ?? undefined } : {}),
  ...('filters' in change ? { filters: writeCondition(change.filters ?? null) } : {}),
  ...('sort' in change ? { sort: change.sort === DEFAULT_SORT ? undefined : change.sort } : {}),
  ...(change.columns ? { columns: columnsText(change.columns, preferred) } : {}),
  ...('pageSize' in change ? { pageSize: change.pageSize === DEFAULT_PAGE_SIZE ? undefined : String(change.pageSize) } : {}),
  ...('viewId' in change ? { view: change.viewId ?? undefined } : {}),
})

/** Nothing is narrowed: what "Clear filters" does. */
export const UNFILTERED = {
  accountStatus: 'all',
  searchText: '',
  connectorId: null,
  siteGroupId: null,
  filters: null,
} as const satisfies ListChange

/** Whether something narrows the list beside the site it is looked at from. */
export const isFiltered = (list: PeopleList): boolean =>
  list.accountStatus !== 'all' || list.searchText !== '' || list.connectorId !== null || list.siteGroupId !== null || list.filters !== null

/** What names the people of a list: as long as it is the same, so are they. */
export const peopleKey = (list: PeopleList, siteId: string | null): string =>
  JSON.stringify([siteId, list.accountStatus, list.searchText, list.connectorId, list.siteGroupId, list.filters])

/** The narrowing of a list as searches and exports take it. */
export const filterOf = (list: PeopleList, siteId: string | null) => ({
  siteId,
  siteGroupId: list.siteGroupId,
  connectorId: list.connectorId,
  searchText: list.searchText.trim() === '' ? null : list.searchText,
  accountStatus: list.accountStatus,
  filters: list.filters,
})

/** What a saved view keeps of a list. */
export const viewOf = (list: PeopleList): ViewState => ({
  accountStatus: list.accountStatus,
  searchText: list.searchText.trim() || null,
  connectorId: list.connectorId,
  siteGroupId: list.siteGroupId,
  filters: list.filters,
  sort: list.sort,
  columns: [...list.columns],
  pageSize: list.pageSize,
})

/** A saved view as a change of a list. */
export const listOfView = (id: string, state: ViewState): ListChange => ({
  ...state,
  searchText: state.searchText ?? '',
  columns: knownColumns(state.columns),
  viewId: id,
})

/** Whether a list shows something else than the view that it came from. */
export const differs = (list: PeopleList, state: ViewState): boolean =>
  JSON.stringify(Object.entries(viewOf(list)).sort()) !==
  JSON.stringify(Object.entries(viewOf({ ...list, ...listOfView('', state), pageSize: state.pageSize })).sort())

/** `-startDate` → by start date, the last first. */
export const sortParts = (sort: UserSort): { by: string; descending: boolean } => ({
  by: sort.replace(/^-/, ''),
  descending: sort.startsWith('-'),
})
export const sortOf = ({ by, descending }: { by: string; descending: boolean }): UserSort =>
  among(USER_SORTS, `${descending ? '-' : ''}${by}`) ?? DEFAULT_SORT

const SIGNIFICANT = 2

/** A count as it is shown: an estimate says no more than it knows, 483,127 → 480,000. */
export const shownCount = ({ value, exact }: { value: number; exact: boolean }): number => {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) + 1 - SIGNIFICANT)
  return exact ? value : Math.round(value / step) * step
}
