import { listAdminLog, listDirectoryLog, listMessageLog, listUserLog } from '@instep/contract/logs.ts'
import { useMemo } from 'react'
import type { CallInput } from '../../api/create-api.ts'
import { usePages } from '../../api/use-endpoint.ts'

/** The four logs: of the directory, of administrators, of messages, of one person. */
export type LogName = 'directory' | 'admins' | 'messages' | 'person'

const ENDPOINTS = { directory: listDirectoryLog, admins: listAdminLog, messages: listMessageLog, person: listUserLog } as const

/** A log and what it is narrowed to. */
export interface LogSource {
  readonly name: LogName
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

interface Asked {
  readonly tenantId: string
  readonly name: LogName
  /** Whose log, or messages, it is to be. */
  readonly userId: string | undefined
  readonly connectorId: string | undefined
}

/** Which call answers a log; the person of the address narrows messages too. */
export const useLogSource = ({ tenantId, name, userId, connectorId }: Asked): LogSource =>
  useMemo(() => {
    if (name === 'person') return { name, params: { connectorId: connectorId ?? '', userId: userId ?? '' }, query: {} }
    const narrowed = name === 'messages' ? { ...(userId ? { userId } : {}), ...(connectorId ? { connectorId } : {}) } : {}
    return { name, params: { tenantId }, query: narrowed }
  }, [tenantId, name, userId, connectorId])

interface LogPart {
  readonly pageSize: number
  readonly query: Readonly<Record<string, string>>
  readonly enabled?: boolean
}

/** Entries of a log, newest first, page by page. */
export const useLogEntries = (source: LogSource, { pageSize, query, enabled = true }: LogPart) =>
  // the four calls take and answer the same but for the names in their paths
  usePages(ENDPOINTS[source.name] as typeof listDirectoryLog, {
    key: [source, pageSize, query],
    inputOf: (continuationToken) =>
      ({
        params: source.params,
        query: { pageSize, ...source.query, ...query, ...(continuationToken ? { continuationToken } : {}) },
      }) as unknown as CallInput<typeof listDirectoryLog>,
    enabled,
  })
