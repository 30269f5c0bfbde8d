import type { Condition } from '@instep/contract/conditions.ts'
import { describe, expect, test } from 'vitest'
import type { PageSearch } from '../../shared/use-page-search.ts'
import { DEFAULT_COLUMNS } from './people-columns.rules.ts'
import {
  differs,
  filterOf,
  isFiltered,
  type ListChange,
  listOfView,
  peopleKey,
  readList,
  searchOf,
  shownCount,
  sortOf,
  sortParts,
  UNFILTERED,
  viewOf,
} from './people-list.rules.ts'

const plain = readList({}, null)
const kitchen: Condition = { field: 'department', operator: 'equals', value: 'Kitchen' }

/** The address after a change, without what a change takes out. */
const address = (change: ListChange, preferred: readonly string[] | null = null): PageSearch =>
  Object.fromEntries(Object.entries(searchOf(change, preferred)).filter(([, value]) => value !== undefined))

describe('an address', () => {
  test('that says nothing is everyone by name, ten at a time', () => {
    expect(plain).toEqual({
      accountStatus: 'all',
      searchText: '',
      connectorId: null,
      siteGroupId: null,
      filters: null,
      filtersLost: false,
      groupLost: false,
      sort: 'displayName',
      columns: DEFAULT_COLUMNS,
      pageSize: 10,
      viewId: null,
    })
  })

  test.each([{ status: 'nonsense' }, { sort: 'passwordHash' }, { pageSize: '7' }, { pageSize: '-10' }, { pageSize: '1e1' }])(
    'that says %o is read as if it said nothing',
    (search) => {
      expect(readList(search, null)).toEqual(plain)
    },
  )

  test.each([
    '{',
    '[]',
    'null',
    '{"all":[]}',
    '{"field":"department","operator":"equals"}',
    '{"field":"password","operator":"equals","value":"x"}',
  ])('with the unreadable filter %s shows everyone and says so', (filters) => {
    expect(readList({ filters }, null)).toMatchObject({ filters: null, filtersLost: true })
  })

  test('with a site group that is gone or out of sight is not narrowed to it, and says so', () => {
    const search = { siteGroupId: 'g1', status: 'claimed' }
    expect(readList(search, null, [{ id: 'g2' }])).toMatchObject({ siteGroupId: null, groupLost: true, accountStatus: 'claimed' })
    expect(readList(search, null, [{ id: 'g1' }])).toMatchObject({ siteGroupId: 'g1', groupLost: false })
    expect(readList(search, null, undefined), 'nobody knows yet').toMatchObject({ siteGroupId: 'g1', groupLost: false })
    expect(readList({}, null, [])).toMatchObject({ siteGroupId: null, groupLost: false })
  })

  test('leaves out unknown columns and repetitions', () => {
    expect(readList({ columns: 'title.salary.title.country' }, null).columns).toEqual(['title', 'country'])
  })

  test('without columns shows those that were chosen last', () => {
    expect(readList({}, ['country', 'title']).columns).toEqual(['country', 'title'])
  })

  const whole: ListChange = {
    accountStatus: 'claimed',
    searchText: 'Åsa & co',
    connectorId: 'c1',
    siteGroupId: 'g1',
    filters: { all: [kitchen, { not: { field: 'vip', operator: 'is', value: true } }] },
    sort: '-startDate',
    columns: ['country', 'title'],
    pageSize: 250,
    viewId: 'v1',
  }

  test('says everything that was chosen, and is read as it was written', () => {
    expect(readList(address(whole), null)).toEqual({ ...whole, filtersLost: false, groupLost: false })
  })

  test('leaves defaults out', () => {
    const defaults: ListChange = { ...UNFILTERED, sort: 'displayName', columns: DEFAULT_COLUMNS, pageSize: 10, viewId: null }
    expect(address(defaults)).toEqual({})
  })

  test('changes nothing that is not asked for', () => {
    expect(searchOf({ sort: 'startDate' }, null)).toEqual({ sort: 'startDate' })
  })

  test('says the usual columns to who chose others, and that there are none', () => {
    expect(readList(address({ columns: DEFAULT_COLUMNS }, ['country']), ['country']).columns).toEqual(DEFAULT_COLUMNS)
    expect(readList(address({ columns: [] }), null).columns).toEqual([])
  })
})

describe('a list', () => {
  test('is filtered by anything but order, columns and page size', () => {
    expect(isFiltered({ ...plain, sort: '-startDate', pageSize: 50, columns: [] })).toBe(false)
    for (const change of [
      { accountStatus: 'active' },
      { searchText: 'a' },
      { connectorId: 'c' },
      { siteGroupId: 'g' },
      { filters: kitchen },
    ] as const) {
      expect(isFiltered({ ...plain, ...change })).toBe(true)
    }
  })

  test('is about the same people whatever the order, and about others at another site', () => {
    expect(peopleKey({ ...plain, sort: 'externalId', pageSize: 100 }, 's')).toBe(peopleKey(plain, 's'))
    expect(peopleKey(plain, 's')).not.toBe(peopleKey(plain, null))
    expect(peopleKey({ ...plain, filters: kitchen }, 's')).not.toBe(peopleKey(plain, 's'))
  })

  test('searches for nothing where only blanks were typed', () => {
    expect(filterOf({ ...plain, searchText: '  ' }, 's1')).toMatchObject({ searchText: null, siteId: 's1' })
  })

  test.each(['displayName', '-displayName', 'externalId', '-externalId', 'startDate', '-startDate'] as const)(
    'sorted by %s says so in two parts',
    (sort) => {
      expect(sortOf(sortParts(sort))).toBe(sort)
    },
  )
})

test.each([
  [{ value: 0, exact: true }, 0],
  [{ value: 9_999, exact: true }, 9_999],
  [{ value: 10_001, exact: false }, 10_000],
  [{ value: 483_127, exact: false }, 480_000],
  [{ value: 996_000, exact: false }, 1_000_000],
  [{ value: 0, exact: false }, 0],
])('the count %o is shown as %i', (count, shown) => {
  expect(shownCount(count)).toBe(shown)
})

describe('a saved view', () => {
  const view = viewOf({ ...plain, siteGroupId: 'g1', filters: kitchen, sort: '-startDate', searchText: ' chef ' })

  test('brings back what it kept', () => {
    const list = { ...plain, ...listOfView('v1', view) }
    expect(viewOf(list)).toEqual(view)
    expect(list).toMatchObject({ viewId: 'v1', siteGroupId: 'g1' })
    expect(differs(list, view)).toBe(false)
  })

  test('is changed by anything that it keeps', () => {
    const list = { ...plain, ...listOfView('v1', view) }
    for (const change of [
      { sort: 'displayName' },
      { filters: null },
      { siteGroupId: null },
      { pageSize: 50 },
      { columns: ['title'] },
      { accountStatus: 'active' },
    ] as const) {
      expect(differs({ ...list, ...change }, view)).toBe(true)
    }
  })

  test('is not changed by the same members in another order', () => {
    const turned = Object.fromEntries(Object.entries(view).reverse()) as typeof view
    expect(differs({ ...plain, ...listOfView('v1', turned) }, view)).toBe(false)
  })
})
