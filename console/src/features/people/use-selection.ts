import type { UserRow } from '@instep/contract/users.ts'
import { useMemo, useState } from 'react'
import { afterTicking, EVERYONE, NOBODY, offersEveryone, type PeopleSelection, sizeOf, tickedOf } from './selection.rules.ts'
import type { People } from './use-people.ts'

const NO_ROWS: readonly UserRow[] = []

/** Who is selected of the people of `key`; another list starts with nobody. */
export const useSelection = (people: People, key: string) => {
  const [kept, setKept] = useState<{ of: string; selection: PeopleSelection }>({ of: key, selection: NOBODY })
  const selection = kept.of === key ? kept.selection : NOBODY
  const rows = people.rows ?? NO_ROWS
  const set = (next: PeopleSelection) => setKept({ of: key, selection: next })
  return {
    selection,
    ticked: useMemo(() => tickedOf(selection, rows), [selection, rows]),
    size: sizeOf(selection, people.count?.value ?? 0),
    /** Whether the size is estimated. */
    about: 'everyoneBut' in selection && people.count?.exact === false,
    /** How many of everyone are left out. */
    leftOut: 'everyoneBut' in selection ? selection.everyoneBut.size : 0,
    offersEveryone: offersEveryone(selection, rows, people.hasNextPage),
    tick: (ticked: ReadonlySet<string>) => set(afterTicking(selection, ticked, rows)),
    selectEveryone: () => set(EVERYONE),
    clear: () => set(NOBODY),
  }
}

export type Selected = ReturnType<typeof useSelection>
