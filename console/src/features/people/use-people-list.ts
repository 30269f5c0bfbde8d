import { listSiteGroups } from '@instep/contract/sites.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { endpointKey } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useConsole } from '../../shell/console-store.ts'
import { type ListChange, readList, searchOf } from './people-list.rules.ts'

/** The list that the address says, and how to change it. Chosen columns are remembered for the next visit. */
export const usePeopleList = () => {
  const [search, changeSearch] = usePageSearch()
  const preferred = useConsole((state) => state.peopleColumns)
  const { siteGroups } = useScope()
  const list = useMemo(() => readList(search, preferred, siteGroups), [search, preferred, siteGroups])
  useGroupsAnew(list.groupLost ? search['siteGroupId'] : undefined)
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

/** A site group that is not known may have been made a moment ago: the groups are asked for once more. */
const useGroupsAnew = (unknown: string | undefined): void => {
  const cache = useQueryClient()
  useEffect(() => {
    if (unknown !== undefined) void cache.invalidateQueries({ queryKey: endpointKey(listSiteGroups) })
  }, [cache, unknown])
}

export type ChangeList = ReturnType<typeof usePeopleList>['change']
