import { LOOKUP_KEYS, type LookupKeyKind, type MatchComparison, type Matching } from '@instep/contract/matching.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import pg from 'pg'

const { escapeLiteral } = pg

/** Fields that lookup keys and likenesses read; the temporary table `unlinked` holds them under their columns' names. */
export const MATCH_FIELDS = [
  'externalReferenceId',
  'employeeNumber',
  'userName',
  'workEmail',
  'personalEmail',
  'personalPhone',
  'givenName',
  'familyName',
  'dateOfBirth',
  'employmentType',
] as const satisfies readonly UserFieldName[]

/** Where the search for people takes place. */
export interface KeyScope {
  readonly tenantId: string
  readonly connectorId: string
  /** Connectors whose people reach the same targets: an external id that is taken there is not free here. */
  readonly otherConnectors: readonly string[]
}

/** The place of the search for taken external ids among the steps, after every key; likenesses come after it. */
export const TAKEN_STEP = LOOKUP_KEYS.length
const LIKENESS_STEP = TAKEN_STEP + 1

// by the indexed form first; what it finds too much of is dropped by the narrower comparison
const narrowing: Record<MatchComparison, (a: string, b: string) => string> = {
  exact: (a, b) => ` and ${a} = ${b}`,
  folded: (a, b) => ` and match_text(${a}) = match_text(${b})`,
  normalised: () => '',
}

const byId =
  (column: string, own = column) =>
  (comparison: MatchComparison): string =>
    `u.${column} is not null and match_id(u.${column}) = match_id(m.${own})${narrowing[comparison](`u.${column}`, `m.${own}`)}`

const byAddress = (column: string, own: string, comparison: MatchComparison): string =>
  `u.${column} is not null and match_text(u.${column}) = match_text(m.${own})${comparison === 'exact' ? ` and u.${column} = m.${own}` : ''}`

const UUID = `'^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'`

const inConnectors = ({ connectorId, otherConnectors }: KeyScope): string =>
  `u.connector_id = any (${escapeLiteral(`{${[connectorId, ...otherConnectors].join(',')}}`)})`

/** On what a record and somebody meet, one condition a search; each can be answered by an index. */
const CONDITIONS: Record<LookupKeyKind, (comparison: MatchComparison, scope: KeyScope) => string[]> = {
  Id: () => [`u.id = case when m.external_reference_id ~ ${UUID} then m.external_reference_id::uuid end`],
  ExternalId: (comparison, scope) => [
    comparison === 'exact'
      ? `${inConnectors(scope)} and u.external_id = m.source_key`
      : `${inConnectors(scope)} and ${byId('external_id', 'source_key')(comparison)}`,
  ],
  ExternalReferenceId: (comparison) => [byId('external_reference_id')(comparison)],
  EmployeeId: (comparison) => [byId('employee_number')(comparison)],
  Email: (comparison) =>
    ['work_email', 'personal_email'].flatMap((column) => ['work_email', 'personal_email'].map((own) => byAddress(column, own, comparison))),
  UserName: (comparison) => [byId('user_name')(comparison)],
}

const finding = (scope: KeyScope, { step, by, condition, open }: { step: number; by: string; condition: string; open: string }): string => `
  insert into found (row_number, step, found_by, user_id)
  select distinct m.row_number, ${step}, ${escapeLiteral(by)}, u.id
  from unlinked m join users u on u.tenant_id = ${escapeLiteral(scope.tenantId)} and ${condition}
  where ${open}`

// rows of an earlier step close a record to later keys; those of its own step do not
const notFoundBefore = (step: number): string =>
  `not m.create_new and not exists (select from found f where f.row_number = m.row_number and f.step < ${step})`

/**
 * The searches that fill `found (row_number, step, found_by, user_id)` from `unlinked`, in their order, each over all records at once: the first key
 * that finds anybody closes a record to the later ones; then whoever has its external id; then, where nobody was found, likenesses.
 */
export const searches = (scope: KeyScope, { keys, samePerson }: Matching): string[] => {
  const byKeys = keys.flatMap(({ kind, comparison }, step) =>
    CONDITIONS[kind](comparison, scope).map((condition) => finding(scope, { step, by: kind, condition, open: notFoundBefore(step) })),
  )
  const taken = finding(scope, {
    step: TAKEN_STEP,
    by: 'taken',
    condition: `${inConnectors(scope)} and u.external_id = m.source_key`,
    open: 'true',
  })
  if (samePerson.act === 'off') return [...byKeys, taken]
  const likeness = (by: 'nameAndBirthDate' | 'personalEmail' | 'personalPhone', condition: string): string[] =>
    samePerson[by] ? [finding(scope, { step: LIKENESS_STEP, by, condition, open: notFoundBefore(LIKENESS_STEP) })] : []
  return [
    ...byKeys,
    taken,
    ...likeness(
      'nameAndBirthDate',
      `u.date_of_birth = m.date_of_birth and match_text(u.family_name) = match_text(m.family_name)
        and match_text(u.given_name) = match_text(m.given_name)`,
    ),
    ...likeness('personalEmail', byAddress('personal_email', 'personal_email', 'folded')),
    ...likeness('personalPhone', 'u.personal_phone = m.personal_phone'),
  ]
}
