import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../../../../platform/db/database.ts'
import { type Directory, effectiveOf, managerOf } from './directory.ts'

/** Somebody as the comparison sees them; who is who is told by the external id. */
interface Seen {
  readonly [part: string]: unknown
}

const DAY = 24 * 3_600_000

const FIELDS = [
  'externalId',
  'employeeNumber',
  'givenName',
  'familyName',
  'displayName',
  'department',
  'locationName',
  'manager',
  'startDate',
  'endDate',
  'workEmail',
  'accessCodeDelivery',
] as const

const valuesIn = (values: Readonly<Record<string, unknown>>): Seen =>
  Object.fromEntries(FIELDS.map((field) => [field, values[field] ?? null]))

/** Everybody of the model. */
const modelPeople = ({ people, graceDays }: Directory): Map<string, Seen> =>
  new Map(
    people.map((person) => {
      const { values, active } = effectiveOf(person)
      const manager = people.find(({ name }) => name === managerOf(person, people))
      const seen = {
        values: valuesIn(values),
        active,
        base: { ...person.base, values: valuesIn(person.base.values) },
        overrides: Object.fromEntries([...person.overrides].map(([field, { value, until }]) => [field, { value, until }])),
        site: person.site,
        key: person.link.key,
        missing: person.link.missing,
        manager: manager ? (effectiveOf(manager).values['externalId'] ?? null) : null,
        version: person.version,
        off: person.off,
        kept: person.off === null || active ? null : person.off + graceDays * DAY,
      }
      return [String(values['externalId']), seen]
    }),
  )

interface UserRow {
  readonly id: string
  readonly values: Record<string, unknown>
  readonly active: boolean
  readonly base: Record<string, unknown>
  readonly overrides: Record<string, { value: unknown; until: string | null }>
  readonly site: string | null
  /** The site that rules have named. */
  readonly placement: string | null
  readonly key: string | null
  readonly missing: boolean
  readonly manager: string | null
  readonly version: number
  readonly off: Date | null
  readonly kept: Date | null
}

const columns = sql`jsonb_build_object(
  'externalId', u.external_id, 'employeeNumber', u.employee_number, 'givenName', u.given_name, 'familyName', u.family_name,
  'displayName', u.display_name, 'department', u.department, 'locationName', u.location_name, 'manager', u.manager,
  'startDate', u.start_date, 'endDate', u.end_date, 'workEmail', u.work_email, 'accessCodeDelivery', u.access_code_delivery)`

const directoryPeople = async ({ db }: Database, tenantId: string): Promise<{ seen: Map<string, Seen>; ids: Map<string, string> }> => {
  const { rows } = await sql<UserRow>`
    select u.id, ${columns} as values, u.active, u.base, s.name as site, l.source_key as key, l.missing_since is not null as missing,
      m.external_id as manager, u.version, u.deactivated_at as off, k.kept_until as kept, p.name as placement,
      coalesce((select jsonb_object_agg(o.field, jsonb_build_object('value', o.value, 'until', o.until)) from user_overrides o
        where o.tenant_id = u.tenant_id and o.user_id = u.id), '{}') as overrides
    from users u
    left join sites s on s.tenant_id = u.tenant_id and s.id = u.site_id
    left join source_links l on l.tenant_id = u.tenant_id and l.user_id = u.id
    left join manager_references r on r.tenant_id = u.tenant_id and r.user_id = u.id
    left join leavers k on k.tenant_id = u.tenant_id and k.user_id = u.id
    left join sites p on p.tenant_id = u.tenant_id and p.id = nullif(u.base ->> 'placement', 'none')::uuid
    left join users m on m.tenant_id = r.tenant_id and m.id = r.manager_id
    where u.tenant_id = ${tenantId}`.execute(db)
  const until = (text: string | null) => (text === null ? null : Date.parse(text))
  const seen = rows.map(({ id, values, base, overrides, placement, off, kept, ...row }): [string, Seen] => [
    String(values['externalId']),
    {
      ...row,
      values: valuesIn(values),
      base: {
        values: valuesIn(base),
        active: base['active'] ?? true,
        employment: base['employment'] ?? null,
        placement: placement ?? base['placement'] ?? null,
      },
      off: off?.getTime() ?? null,
      kept: kept?.getTime() ?? null,
      overrides: Object.fromEntries(Object.entries(overrides).map(([field, o]) => [field, { value: o.value, until: until(o.until) }])),
    },
  ])
  return { seen: new Map(seen), ids: new Map(rows.map(({ id, values }) => [String(values['externalId']), id])) }
}

const partsThatDiffer = (is: Seen | undefined, should: Seen | undefined): string =>
  [...new Set([...Object.keys(is ?? {}), ...Object.keys(should ?? {})])]
    .filter((part) => !isDeepStrictEqual(is?.[part], should?.[part]))
    .map((part) => `${part} ${JSON.stringify(is?.[part])} instead of ${JSON.stringify(should?.[part])}`)
    .join(', ')

/** Open and answered cases by source key. */
const casesOf = async ({ db }: Database, tenantId: string): Promise<Record<string, unknown>> => {
  const { rows } = await sql<{ source_key: string; kind: string; decision: string | null }>`
    select source_key, kind, decision from match_cases where tenant_id = ${tenantId} and state <> 'closed'`.execute(db)
  return Object.fromEntries(rows.map(({ source_key, kind, decision }) => [source_key, { kind, answer: decision }]))
}

/** Who is who: everybody's id by external id, and where directory and model differ, a sentence each. */
export const compareWorlds = async (
  database: Database,
  tenantId: string,
  model: Directory,
): Promise<{ findings: string[]; ids: Map<string, string> }> => {
  const { seen, ids } = await directoryPeople(database, tenantId)
  const should = modelPeople(model)
  const findings = [...new Set([...seen.keys(), ...should.keys()])].flatMap((id) => {
    const differs = partsThatDiffer(seen.get(id), should.get(id))
    return differs === '' ? [] : [`${id}: ${differs}`]
  })
  const cases = await casesOf(database, tenantId)
  const expected = Object.fromEntries(model.cases)
  if (!isDeepStrictEqual(cases, expected)) findings.push(`cases ${JSON.stringify(cases)} instead of ${JSON.stringify(expected)}`)
  return { findings, ids }
}

const WRITTEN = ['users', 'user_overrides', 'source_links', 'plan_rows', 'target_accounts'] as const

/** Another one as soon as any row of these tables of a tenant was written, even with what it held (decisions.md section 9). */
export const writtenRows = async ({ db }: Database, tenantId: string): Promise<string> => {
  const counted = WRITTEN.map(
    (table) => sql`(select coalesce(sum(hashtextextended(t.ctid::text || t.xmin::text, 0)::numeric), 0)::text || '/' || count(*)
      from ${sql.table(table)} t where t.tenant_id = ${tenantId})`,
  )
  const { rows } = await sql<{ all: string }>`select concat_ws(' ', ${sql.join(counted)}) as all`.execute(db)
  return rows[0]?.all ?? ''
}
