import { useCallback, useMemo } from 'react'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useConsole } from '../../shell/console-store.ts'
import { type ListChange, readList, searchOf } from './people-list.rules.ts'

/** The list that the address says, and how to change it. Chosen columns are remembered for the next visit. */
export const usePeopleList = () => {
  const [search, changeSearch] = usePageSearch()
  const preferred = useConsole((state) => state.peopleColumns)
  const list = useMemo(() => readList(search, preferred), [search, preferred])
  const change = useCallback(
    (changes: ListChange, options?: { replace?: boolean }) => changeSearch(searchOf(changes, preferred), options),
    [changeSearch, preferred],
  )
  const chooseColumns = useCallback(
    (columns: NonNullable<ListChange['columns']>) => {
      useConsole.getState().set({ peopleColumns: [...columns] })
      changeSearch(searchOf({ columns }, [...columns]), { replace: true })
    },
    [changeSearch],
  )
  return { list, change, chooseColumns }
}

export type ChangeList = ReturnType<typeof usePeopleList>['change']
