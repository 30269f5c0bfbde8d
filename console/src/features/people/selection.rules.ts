/** Who is selected of a list: people by id, or everyone that the list's filter matches, seen or not. */
export type PeopleSelection = { readonly ids: ReadonlySet<string> } | { readonly everyone: true }

export const NOBODY: PeopleSelection = { ids: new Set() }
export const EVERYONE: PeopleSelection = { everyone: true }

/** The rows that are ticked. */
export const tickedOf = (selection: PeopleSelection, rows: readonly { id: string }[]): ReadonlySet<string> =>
  'everyone' in selection ? new Set(rows.map(({ id }) => id)) : selection.ids

/** How many are selected; `total` is how many the filter matches. */
export const sizeOf = (selection: PeopleSelection, total: number): number => ('everyone' in selection ? total : selection.ids.size)

/** Whether to offer everyone who matches: all that is seen is selected, and there is more. */
export const offersEveryone = (selection: PeopleSelection, rows: readonly { id: string }[], more: boolean): boolean =>
  more && rows.length > 0 && 'ids' in selection && rows.every(({ id }) => selection.ids.has(id))
