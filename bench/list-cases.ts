import type { Condition } from '@instep/contract/conditions.ts'
import { ACCOUNT_STATUSES, USER_SORTS } from '@instep/contract/users.ts'

/** Where the lists of a scenario are asked for. */
export interface ListWorld {
  readonly tenantId: string
  readonly sites: readonly string[]
  readonly groups: readonly string[]
  readonly connectors: readonly string[]
}

export type Reach = 'one' | 'fifty' | 'all'

/** One list: whose, what narrows it, how far into it. */
export interface ListCase {
  readonly group: 'filters' | 'conditions' | 'selective search' | 'broad search'
  readonly reach: Reach
  readonly body: Readonly<Record<string, unknown>>
  /** Whether the 10,000th page of ten is asked for instead of the first. */
  readonly deep: boolean
}

const SORTS = USER_SORTS.filter((sort) => !sort.startsWith('-'))

const placesOf = (reach: Reach, { sites, groups, connectors }: ListWorld): Record<string, unknown>[] => {
  const [siteId] = sites
  const [siteGroupId] = groups
  const site = { siteId }
  const group = reach === 'one' ? [] : [{ siteGroupId }]
  return [{}, site, ...group].flatMap((place) => [place, ...connectors.map((connectorId) => ({ ...place, connectorId }))])
}

/** The six statuses, at every place, in every order, for an administrator of one, fifty and all sites. */
const filterCases = (world: ListWorld): ListCase[] =>
  (['one', 'fifty', 'all'] as const).flatMap((reach) =>
    placesOf(reach, world).flatMap((place) =>
      ACCOUNT_STATUSES.flatMap((accountStatus) =>
        SORTS.flatMap((sort) =>
          // a list is a hundred thousand long only where nothing but the first connector narrows it
          (reach === 'all' && !('siteId' in place) && !('siteGroupId' in place) ? [false, true] : [false]).map(
            (deep): ListCase => ({ group: 'filters', reach, body: { ...place, accountStatus, sort }, deep }),
          ),
        ),
      ),
    ),
  )

const CONDITIONS: readonly Condition[] = [
  { field: 'title', operator: 'equals', value: 'Line cook' },
  { field: 'workEmail', operator: 'isEmpty' },
  {
    all: [
      { field: 'startDate', operator: 'between', value: { from: '2020-01-01', to: '2020-01-31' } },
      { field: 'department', operator: 'in', value: ['Kitchen', 'Finance'] },
    ],
  },
  {
    any: [
      { field: 'employeeNumber', operator: 'equals', value: '777777' },
      { field: 'externalId', operator: 'endsWith', value: '-424242' },
    ],
  },
  {
    all: [
      { not: { field: 'familyName', operator: 'contains', value: 'a' } },
      { field: 'status', operator: 'in', value: ['claimed', 'deactivated'] },
    ],
  },
  { field: 'division', operator: 'isNotEmpty' },
  {
    all: [
      { field: 'claimState', operator: 'equals', value: 'invited' },
      { field: 'startDate', operator: 'withinLast', value: { number: 3, scale: 'year' } },
    ],
  },
]

/** A million people know these by one name or number, and those by a piece of many names. */
const SELECTIVE = ['SEED-777', '765432', 'amara aldenquist', 'seed.999', 'Zoë', 'kofi zelzovich', 'Ulwivich']
const BROAD = ['seed', 'son', 'northwind', 'man', 'ama']

const lists = (group: ListCase['group'], bodies: readonly Record<string, unknown>[]): ListCase[] =>
  bodies.flatMap((body) => (['fifty', 'all'] as const).map((reach): ListCase => ({ group, reach, body, deep: false })))

/** Every list of the scenario. */
export const listCases = (world: ListWorld): ListCase[] => [
  ...filterCases(world),
  ...lists(
    'conditions',
    CONDITIONS.map((filters) => ({ filters })),
  ),
  ...lists(
    'selective search',
    SELECTIVE.map((searchText) => ({ searchText })),
  ),
  ...BROAD.map((searchText): ListCase => ({ group: 'broad search', reach: 'all', body: { searchText }, deep: false })),
]
