/** Every address inside the console. */
import type { AccountStatus } from '@instep/contract/users.ts'

const part = encodeURIComponent

const search = (values: Record<string, string | undefined>): string => {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

/** What a list of people can be opened with. */
export interface PeopleLink {
  siteId?: string | null | undefined
  /** Only people of the sites of this group. */
  siteGroupId?: string | undefined
  status?: AccountStatus | undefined
  /** The person whose profile is open. */
  userId?: string | undefined
  connectorId?: string | undefined
  search?: string | undefined
  /** Only people of no site. */
  unassigned?: boolean | undefined
  /** Only people of this connector. */
  connector?: string | undefined
}

/** People of no site. */
export const UNASSIGNED_FILTER = { field: 'siteId', operator: 'isEmpty' } as const

export const paths = {
  dashboard: (siteId?: string | null) => (siteId ? `/sites/${part(siteId)}` : '/'),
  people: ({ siteId, siteGroupId, status, userId, connectorId, search: text, unassigned, connector }: PeopleLink = {}) => {
    const filters = unassigned ? JSON.stringify(UNASSIGNED_FILTER) : undefined
    const shown = status === 'all' ? undefined : status
    return `${siteId ? `/sites/${part(siteId)}` : ''}/users${search({ siteGroupId, status: shown, search: text, connector, filters, userId, connectorId })}`
  },
  /** Sites, or site groups, perhaps with one of them open. */
  sites: ({ tab, open }: { tab?: 'groups' | undefined; open?: string | undefined } = {}) => `/sites-and-groups${search({ tab, open })}`,
  settings: (siteId?: string | null, tab?: string) => `${siteId ? `/sites/${part(siteId)}` : ''}/settings${search({ tab })}`,
  overrides: (siteId?: string | null) => `${siteId ? `/sites/${part(siteId)}` : ''}/overrides`,
  connectors: () => '/connectors',
  connector: (connectorId: string) => `/connectors/${part(connectorId)}`,
  targetGroups: (connectorId: string) => `/connectors/${part(connectorId)}/groups`,
  config: (connectorId: string) => `/connectors/${part(connectorId)}/configuration`,
  /** Bring people in, perhaps from a file that is there already. */
  importFile: (connectorId: string, file?: string) => `/connectors/${part(connectorId)}/import${search({ file })}`,
  /** Why somebody did or did not change, in a run or the newest; without anybody, what would happen to a record pasted in. */
  explain: (connectorId: string, { runId, userId, row }: { runId?: string; userId?: string | undefined; row?: string | undefined } = {}) =>
    `/connectors/${part(connectorId)}/explain${search({ runId, userId, row })}`,
  /** One person brought in step by hand, step by step; with a run, each step that it took for the person. */
  syncUser: (connectorId: string, userId: string, runId?: string) =>
    `/connectors/${part(connectorId)}/users/${part(userId)}/sync${search({ runId })}`,
  runs: () => '/runs',
  run: (runId: string) => `/runs/${part(runId)}`,
  cases: () => '/cases',
  case: (caseId: string) => `/cases/${part(caseId)}`,
  /** What people are asked to do, at one target if it is named. */
  tasks: (siteId?: string | null, targetId?: string) => `${siteId ? `/sites/${part(siteId)}` : ''}/tasks${search({ targetId })}`,
  messages: () => '/messages',
  logs: (correlationId?: string) => `/logs${search({ correlationId })}`,
  /** Everything that happened to one person. */
  personLog: (connectorId: string, userId: string) => `/logs${search({ userId, connectorId })}`,
  signOut: () => '/auth/logout',
} as const
