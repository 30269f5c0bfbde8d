import { type Connector, listConnectors } from '@instep/contract/connectors.ts'
import { useMemo } from 'react'
import { useEndpoint } from '../api/use-endpoint.ts'
import { useScope } from './scope.tsx'

const KEPT_FOR = 60_000

/** The connectors whose people the caller may look at, as the server offers them; undefined while they load or where they cannot be had. */
export const useOfferedConnectors = (): readonly Connector[] | undefined => {
  const { tenantId } = useScope()
  const { data } = useEndpoint(listConnectors, { params: { tenantId } }, { staleTime: KEPT_FOR })
  return useMemo(() => data?.data.filter(({ kind }) => kind === 'source'), [data])
}
