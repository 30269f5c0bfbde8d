import type { AccountStatus } from '@instep/contract/users.ts'
import { type RawBuilder, sql } from 'kysely'
import { withinSites } from '../../platform/db/within-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** Which people: of a tenant, within what the caller may see, narrowed by what was asked. */
export interface PeopleFilter {
  readonly tenantId: string
  readonly sites: Actor['sites']
  readonly connectorId?: string | undefined
  readonly siteId?: string | null | undefined
  readonly searchText?: string | null | undefined
  readonly accountStatus?: AccountStatus | undefined
  readonly isActive?: boolean | null | undefined
}

type Condition = RawBuilder<boolean>

const STATUS: Record<AccountStatus, Condition | undefined> = {
  all: undefined,
  active: sql<boolean>`u.active`,
  inactive: sql<boolean>`not u.active`,
  claimed: sql<boolean>`u.active and u.claim_state = 'claimed'`,
  notClaimed: sql<boolean>`u.active and u.claim_state = 'invited'`,
  notInvited: sql<boolean>`u.active and u.claim_state = 'awaitingInvitation'`,
}

/** Conditions over `users as u`: who may be seen is part of the query, never a filter behind it. */
export const peopleConditions = (filter: PeopleFilter): Condition[] =>
  [
    sql<boolean>`u.tenant_id = ${filter.tenantId}`,
    withinSites('u.site_id', filter.sites),
    filter.connectorId ? sql<boolean>`u.connector_id = ${filter.connectorId}` : undefined,
    filter.siteId ? sql<boolean>`u.site_id = ${filter.siteId}` : undefined,
    STATUS[filter.accountStatus ?? 'all'],
    typeof filter.isActive === 'boolean' ? sql<boolean>`u.active = ${filter.isActive}` : undefined,
    filter.searchText ? matches(filter.searchText) : undefined,
  ].filter((condition) => condition !== undefined)

/** `%`, `_` and `\` as themselves in a LIKE pattern. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * One or two characters: how a name or an id begins. Three or more: anywhere, by trigrams.
 */
const matches = (text: string): Condition => {
  const wanted = escapeLike(text)
  if ([...text].length > 2) return sql<boolean>`u.search like '%' || lower(${wanted}) || '%'`
  const prefix = sql`lower(${wanted}) || '%'`
  // the first line is what the trigram index can answer: a word that begins so; the others make it exact
  return sql<boolean>`(u.search like ${prefix} or u.search like '% ' || ${prefix}) and (
    u.name_key like ${prefix} or lower(u.given_name) like ${prefix} or lower(u.family_name) like ${prefix}
    or lower(u.external_id collate "default") like ${prefix} or lower(u.employee_number) like ${prefix}
  )`
}
