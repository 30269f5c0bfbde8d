import type { CaseKind, MatchCase } from '@instep/contract/match-cases.ts'
import { columnOf, userFieldNames } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { type LinkFacts, linkRefusal } from './case-answers.rules.ts'
import type { Candidate } from './match.rules.ts'

/** A case as its table has it. */
export interface CaseRow extends Omit<MatchCase, 'openedAt' | 'decidedAt'> {
  readonly openedAt: Date
  readonly decidedAt: Date | null
  readonly rowNumber: number
  readonly record: { readonly raw: readonly [column: string, text: string][]; readonly values: Record<string, string | null> }
  readonly people: readonly Candidate[]
  readonly idTaken: boolean
  readonly userId: string | null
  readonly before: unknown
}

export interface CasesQuery {
  readonly tenantId: string
  readonly state: MatchCase['state']
  readonly kind?: CaseKind | undefined
  readonly connectorId?: string | undefined
  /** The last case of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Somebody who has this external id where a person of the connector could not have it as well. */
const holderOf = (
  { tenant, connector, externalId }: Record<'tenant' | 'connector' | 'externalId', RawBuilder<unknown>>,
  but?: RawBuilder<unknown>,
) => sql<boolean>`
  exists (
    select from users t join connectors tc on tc.tenant_id = t.tenant_id and tc.id = t.connector_id
    where t.tenant_id = ${tenant} and match_id(t.external_id) = match_id(${externalId}) and t.external_id = ${externalId}
      ${but ? sql`and t.id <> ${but}` : sql``}
      and (t.connector_id = ${connector} or tc.kind = 'source' and exists (
        select from connectors w where w.tenant_id = t.tenant_id and w.kind = 'target' and w.enabled
      ))
  )`

const RECORD = { tenant: sql`c.tenant_id`, connector: sql`c.connector_id`, externalId: sql`c.source_key` }

const caseColumns = sql`
  c.id, c.connector_id as "connectorId", n.name as "connectorName", c.kind, c.state, c.source_key as "sourceKey", c.display_name as "displayName",
  c.employee_id as "employeeId", jsonb_array_length(c.candidates) as candidates, c.opened_at as "openedAt", c.run_id as "runId", c.decision,
  c.decided_by ->> 'name' as "decidedBy", c.decided_at as "decidedAt", c.reason, c.closed_because as "closedBecause", c.user_id as "userId"`

/** Cases of a tenant in one state: open ones oldest first, others newest first. */
export const listCases = async (db: Db, query: CasesQuery): Promise<CaseRow[]> => {
  const oldestFirst = query.state === 'open'
  const { rows } = await sql<CaseRow>`
    select ${caseColumns}
    from match_cases c join connectors n on n.tenant_id = c.tenant_id and n.id = c.connector_id
    where c.tenant_id = ${query.tenantId} and c.state = ${query.state}
      ${query.kind ? sql`and c.kind = ${query.kind}` : sql``}
      ${query.connectorId ? sql`and c.connector_id = ${query.connectorId}` : sql``}
      ${query.after ? (oldestFirst ? sql`and c.id > ${query.after}` : sql`and c.id < ${query.after}`) : sql``}
    order by c.id ${oldestFirst ? sql`asc` : sql`desc`} limit ${query.limit}`.execute(db)
  return rows
}

/** How many cases are open of each kind, of the tenant or one of its connectors. */
export const countOpenCases = async (
  db: Db,
  { tenantId, connectorId }: { tenantId: string; connectorId?: string | undefined },
): Promise<{ kind: CaseKind; count: number }[]> => {
  const { rows } = await sql<{ kind: CaseKind; count: number }>`
    select kind, count(*)::integer as count from match_cases
    where tenant_id = ${tenantId} and state = 'open' ${connectorId ? sql`and connector_id = ${connectorId}` : sql``}
    group by kind order by count(*) desc, kind`.execute(db)
  return rows
}

/** The tenant's cases of these ids with all that is known of them; `lock` keeps others from answering them until the transaction ends. */
export const findCases = async (
  db: Db | Tx,
  { tenantId, caseIds }: { tenantId: string; caseIds: readonly string[] },
  lock = false,
): Promise<CaseRow[]> => {
  const { rows } = await sql<CaseRow>`
    select ${caseColumns}, c.row_number as "rowNumber", c.record, c.candidates as people, c.before, ${holderOf(RECORD)} as "idTaken"
    from match_cases c join connectors n on n.tenant_id = c.tenant_id and n.id = c.connector_id
    where c.tenant_id = ${tenantId} and c.id = any (${caseIds as string[]}::uuid[])
    order by c.id ${lock ? sql`for update of c` : sql``}`.execute(db)
  return rows
}

interface PersonFacts extends LinkFacts {
  readonly caseId: string
  readonly userId: string
  readonly connectorId: string
  readonly connectorName: string
  readonly siteName: string | null
  readonly displayName: string
  readonly deactivatedAt: Date | null
  readonly foundBy: string[]
  readonly person: Record<string, unknown>
}

/** Somebody whom a case's record may be, as the directory has them now. */
export type CasePerson = ReturnType<typeof shownPerson>

const shownPerson = (facts: PersonFacts) => ({
  caseId: facts.caseId,
  userId: facts.userId,
  connectorId: facts.connectorId,
  connectorName: facts.connectorName,
  siteName: facts.siteName,
  displayName: facts.displayName,
  active: facts.active,
  inactiveSince: facts.deactivatedAt?.toISOString() ?? null,
  foundBy: facts.foundBy,
  values: Object.fromEntries(userFieldNames.map((field) => [field, (facts.person[columnOf(field)] as string | null | undefined) ?? null])),
  linkRefusal: linkRefusal(facts),
})

/** The candidates of cases in the order in which they were found; whoever is gone is not among them. */
export const findCasePeople = async (
  db: Db | Tx,
  { tenantId, caseIds }: { tenantId: string; caseIds: readonly string[] },
): Promise<CasePerson[]> => {
  const { rows } = await sql<PersonFacts>`
    select c.id as "caseId", u.id as "userId", u.connector_id as "connectorId", n.name as "connectorName", s.name as "siteName",
      u.display_name as "displayName", u.active, u.deactivated_at as "deactivatedAt", p.found -> 'foundBy' as "foundBy", u.locked,
      u.connector_id <> c.connector_id as elsewhere, n.definition_id = 'manual' as manual,
      coalesce(l.connector_id = c.connector_id and l.source_key <> c.source_key
        and (l.record_hash = '' or (p.found ->> 'present')::boolean and l.missing_since is null), false) as "linkedHere",
      ${holderOf(RECORD, sql`u.id`)} or u.connector_id <> c.connector_id and exists (
        select from users t where t.tenant_id = u.tenant_id and t.connector_id = c.connector_id and t.external_id = u.external_id
      ) as "idTaken",
      to_jsonb(u) as person
    from match_cases c
    cross join lateral jsonb_array_elements(c.candidates) with ordinality as p (found, place)
    join users u on u.tenant_id = c.tenant_id and u.id = (p.found ->> 'userId')::uuid
    join connectors n on n.tenant_id = u.tenant_id and n.id = u.connector_id
    left join sites s on s.tenant_id = u.tenant_id and s.id = u.site_id
    left join source_links l on l.tenant_id = u.tenant_id and l.user_id = u.id
    where c.tenant_id = ${tenantId} and c.id = any (${caseIds as string[]}::uuid[])
    order by c.id, p.place`.execute(db)
  return rows.map(shownPerson)
}
