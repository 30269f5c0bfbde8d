import { getListRun, type ListRun, watchListRun } from '@instep/contract/exports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useApi } from '../api/api-context.tsx'
import { endpointKey, useEndpoint } from '../api/use-endpoint.ts'
import { useScope } from './scope.tsx'

const UNFINISHED: readonly ListRun['state'][] = ['queued', 'running']

/** Whether a run goes on. */
export const goesOn = ({ state }: Pick<ListRun, 'state'>): boolean => UNFINISHED.includes(state)

interface ListRunOptions {
  /** It was started before the reader's eyes, and may be over before it is first seen. */
  readonly fresh: boolean
  /** Told once, when the run ends before the reader's eyes. */
  readonly onEnded: (run: ListRun) => unknown
}

/** Follows a run over a list to its end. */
export const useListRun = (runId: string, { fresh, onEnded }: ListRunOptions) => {
  const api = useApi()
  const cache = useQueryClient()
  const { tenantId } = useScope()
  const query = useEndpoint(getListRun, { params: { tenantId, runId } })
  const run = query.data
  const going = run !== undefined && goesOn(run)
  useEffect(() => {
    if (!going) return
    const leaving = new AbortController()
    const input = { params: { tenantId, runId } }
    const told = (next: ListRun) => cache.setQueryData(endpointKey(getListRun, input), next)
    // what cannot be followed can still be read again
    const over = () => void cache.invalidateQueries({ queryKey: endpointKey(getListRun, input) })
    api.watch(watchListRun, { ...input, signal: leaving.signal }, told).then(over, over)
    return () => leaving.abort()
  }, [api, cache, tenantId, runId, going])
  const ended = useEffectEvent(onEnded)
  const wasGoing = useRef(fresh)
  useEffect(() => {
    if (!run) return
    if (wasGoing.current && !going) ended(run)
    wasGoing.current = going
  }, [run, going])
  return query
}
