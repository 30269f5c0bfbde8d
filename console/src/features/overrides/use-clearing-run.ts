import { getListRun, type ListRun, watchListRun } from '@instep/contract/exports.ts'
import { listOverrides } from '@instep/contract/overrides.ts'
import { getUser, searchUsers } from '@instep/contract/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useApi } from '../../api/api-context.tsx'
import { endpointKey, useEndpoint } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'

const UNFINISHED: readonly ListRun['state'][] = ['queued', 'running']

/** Whether a run goes on. */
export const goesOn = ({ state }: Pick<ListRun, 'state'>): boolean => UNFINISHED.includes(state)

/** Follows a run that takes overrides back; when it ends, lists and people are shown anew. */
export const useClearingRun = (runId: string) => {
  const api = useApi()
  const cache = useQueryClient()
  const { tenantId } = useScope()
  const query = useEndpoint(getListRun, { params: { tenantId, runId } })
  const going = query.data !== undefined && goesOn(query.data)
  // a run may be over before it was first seen
  const wasGoing = useRef(true)
  useEffect(() => {
    if (!going) return
    const leaving = new AbortController()
    const input = { params: { tenantId, runId } }
    const told = (run: ListRun) => cache.setQueryData(endpointKey(getListRun, input), run)
    // what cannot be followed can still be read again
    const over = () => void cache.invalidateQueries({ queryKey: endpointKey(getListRun, input) })
    api.watch(watchListRun, { ...input, signal: leaving.signal }, told).then(over, over)
    return () => leaving.abort()
  }, [api, cache, tenantId, runId, going])
  const known = query.data !== undefined
  useEffect(() => {
    if (!known) return
    if (wasGoing.current && !going) {
      for (const endpoint of [listOverrides, searchUsers, getUser]) void cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
    }
    wasGoing.current = going
  }, [cache, known, going])
  return query
}
