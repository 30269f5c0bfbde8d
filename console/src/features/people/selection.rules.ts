/** Who is selected of a list: people by id, or everyone that the list's filter matches, seen or not, but for a few. */
export type PeopleSelection = { readonly ids: ReadonlySet<string> } | { readonly everyoneBut: ReadonlySet<string> }

type Rows = readonly { readonly id: string }[]

export const NOBODY: PeopleSelection = { ids: new Set() }
export const EVERYONE: PeopleSelection = { everyoneBut: new Set() }

/** The rows that are ticked. */
export const tickedOf = (selection: PeopleSelection, rows: Rows): ReadonlySet<string> =>
  'ids' in selection ? selection.ids : new Set(rows.map(({ id }) => id).filter((id) => !selection.everyoneBut.has(id)))

/** The selection once these rows are ticked: of everyone whoever was unticked is left out; with nobody ticked nobody is selected. */
export const afterTicking = (selection: PeopleSelection, ticked: ReadonlySet<string>, rows: Rows): PeopleSelection => {
  if ('ids' in selection) return { ids: ticked }
  if (ticked.size === 0) return NOBODY
  const unticked = rows.map(({ id }) => id).filter((id) => !ticked.has(id))
  return { everyoneBut: new Set([...[...selection.everyoneBut].filter((id) => !ticked.has(id)), ...unticked]) }
}

/** How many are selected; `total` is how many the filter matches. */
export const sizeOf = (selection: PeopleSelection, total: number): number =>
  'ids' in selection ? selection.ids.size : Math.max(0, total - selection.everyoneBut.size)

/** Whether to offer everyone who matches: all that is seen is selected, and there is more. */
export const offersEveryone = (selection: PeopleSelection, rows: Rows, more: boolean): boolean =>
  more && rows.length > 0 && 'ids' in selection && rows.every(({ id }) => selection.ids.has(id))
