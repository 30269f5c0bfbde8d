import type { CaseKind } from '@instep/contract/match-cases.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { type PersonDates, type SiteDays, type Standing, standingOf } from './employment.rules.ts'
import type { BaseValues, MappedRecord } from './map-record.ts'
import type { Candidate } from './match.rules.ts'
import { daysAtSite, type Place, type Placing, placeOf } from './placement.rules.ts'
import type { PlannedKind, PlannedRow, Reason } from './plan-row.ts'

/** A record of the file. */
export interface StagedRecord {
  readonly rowNumber: number
  /** The external id as the source writes it; null where it cannot be read. */
  readonly sourceKey: string | null
  /** As PostgreSQL writes it, `\\x…`. */
  readonly recordHash: string
  /** How many records of the file have this key. */
  readonly sameKey: number
}

/** The person that a record is linked to, as the directory has them now. */
export interface CurrentPerson {
  readonly userId: string
  readonly version: number
  readonly base: Readonly<Record<string, unknown>>
  readonly displayName: string
  readonly employeeId: string
  readonly locked: boolean
  /** Absent: nothing is overridden, and the person stands at no site. */
  readonly dates?: PersonDates
}

/** What a person has to be asked about a record before it is carried out. */
export interface Asked {
  readonly caseId: string
  readonly kind: CaseKind
  /** It was answered, and the answer can no longer be followed. */
  readonly reopens: boolean
  readonly candidates: readonly Candidate[]
  readonly reason: Reason
}

/** Whom a record met. */
export interface Match {
  /** The person it is linked to, or was found to be. */
  readonly person: CurrentPerson | null
  /** An answer linked it, and no run has acted on that yet. */
  readonly answered?: boolean
  /** The person is away because the record went out of scope. */
  readonly leftScope?: boolean
  readonly asked?: Asked
  /** An answer leaves it out. */
  readonly ignored?: true
  /** By which key the person was found, or whom a new one looks like. */
  readonly note?: Reason
}

const isKnown = (value: unknown): value is string => typeof value === 'string' && value !== ''

const identityOf = (values: BaseValues, person: CurrentPerson | null, key: string | null) => {
  const name = values.displayName ?? [values.givenName, values.familyName].filter(isKnown).join(' ')
  return {
    displayName: isKnown(name) ? name : (person?.displayName ?? ''),
    employeeId: values.employeeNumber ?? person?.employeeId ?? key ?? '',
  }
}

type Decision = Pick<PlannedRow, 'kind' | 'before' | 'after' | 'reasons'>

const refusal = (kind: PlannedKind, reasons: readonly Reason[]): Decision => ({ kind, before: {}, after: {}, reasons })

/** Why a record must not be carried out before a person has looked at it. */
const conflictOf = (record: StagedRecord, { person, asked }: Match): Reason | undefined => {
  if (record.sameKey > 1)
    return { code: 'duplicateKey', field: 'externalId', params: { key: record.sourceKey ?? '', rows: record.sameKey } }
  if (asked) return asked.reason
  return person?.locked ? { code: 'locked' } : undefined
}

/** What differs between a record and what its source said before, with what the dates make of it. */
const differing = (values: BaseValues, base: Readonly<Record<string, unknown>>, { employment }: Standing) => {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  const note = (field: string, old: unknown, now: unknown) => {
    if (old === now) return
    before[field] = old
    after[field] = now
  }
  for (const field of Object.keys(values) as UserFieldName[]) note(field, base[field] ?? null, values[field] ?? null)
  note('employment', base['employment'] ?? null, employment)
  note('active', base['active'] !== false, employment === null)
  return { before, after }
}

const RETURNS: Readonly<Record<string, string>> = { ended: 'endMoved', notStarted: 'startCame' }

/** What a change of somebody is called, and why. */
const changeOf = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  { employment, startDate, endDate, back }: Standing & { readonly back: string },
): Pick<Decision, 'kind' | 'reasons'> => {
  if (employment === 'notStarted') return { kind: 'future', reasons: [{ code: 'startsLater', params: { date: startDate ?? '' } }] }
  if (after['active'] === true) return { kind: 'reactivate', reasons: [{ code: RETURNS[String(before['employment'])] ?? back }] }
  if (after['employment'] === 'ended')
    return { kind: after['active'] === false ? 'deactivate' : 'update', reasons: [{ code: 'ended', params: { date: endDate ?? '' } }] }
  const leaves = employment === null && endDate !== null && after['endDate'] === endDate
  return leaves ? { kind: 'leave', reasons: [{ code: 'endsOn', params: { date: endDate } }] } : { kind: 'update', reasons: [] }
}

/** Notes where the rules put somebody, where that is another site or anything else changes. */
const notePlace = (decision: Pick<Decision, 'before' | 'after'>, place: Place | undefined): Pick<Decision, 'before' | 'after'> => {
  if (!place || place.before === place.after || !(place.moves || Object.keys(decision.after).length > 0)) return decision
  return { before: { ...decision.before, placement: place.before }, after: { ...decision.after, placement: place.after } }
}

const compare = (
  values: BaseValues,
  base: Readonly<Record<string, unknown>>,
  { standing, place, back }: { standing: Standing; place: Place | undefined; back: 'backInScope' | 'backInFile' },
): Decision | undefined => {
  const { before, after } = notePlace(differing(values, base, standing), place)
  if (Object.keys(after).length === 0) return undefined
  const { kind, reasons } = changeOf(before, after, { ...standing, back })
  return { kind, before, after, reasons: place?.moves ? [...reasons, place.reason] : reasons }
}

const creation = (values: BaseValues, { standing, place }: { standing: Standing; place: Place | undefined }): Decision => {
  const after: Record<string, unknown> = {}
  for (const field of Object.keys(values) as UserFieldName[]) if (values[field] !== null) after[field] = values[field]
  const { employment, startDate, endDate } = standing
  after['active'] = employment === null
  if (employment !== null) after['employment'] = employment
  if (place) after['placement'] = place.after
  const placed = place ? [place.reason] : []
  if (employment === 'notStarted')
    return { kind: 'future', before: {}, after, reasons: [{ code: 'startsLater', params: { date: startDate ?? '' } }, ...placed] }
  const reasons = [
    ...(endDate === null ? [] : [{ code: employment === 'ended' ? 'ended' : 'endsOn', params: { date: endDate } }]),
    ...placed,
  ]
  return { kind: 'create', before: {}, after, reasons }
}

/** A record as it was read and whom it met; `days` lets start and end dates act. */
interface Met {
  readonly mapped: MappedRecord
  readonly match: Match
  readonly days?: SiteDays | undefined
  /** Puts people at sites; absent: the location's name does. */
  readonly placing?: Placing | undefined
}

const noted = (decision: Decision | undefined, { note, answered }: Match): Decision | undefined => {
  const reasons = [...(note ? [note] : []), ...(answered ? [{ code: 'linkedByAnswer' }] : [])]
  return decision && reasons.length > 0 ? { ...decision, reasons: [...reasons, ...decision.reasons] } : decision
}

const decide = (record: StagedRecord, { mapped, match, days, placing }: Met): Decision | undefined => {
  if (mapped.problems.length > 0) return refusal('invalid', mapped.problems)
  const conflict = conflictOf(record, match)
  if (conflict) return refusal('conflict', [conflict])
  const { person } = match
  const values = mapped.initial && !person ? { ...mapped.values, ...mapped.initial } : mapped.values
  const place = placing && placeOf({ values: person ? { ...person.base, ...values } : values, person }, placing)
  const daysThere = days && place ? daysAtSite(days, place.siteId) : days
  const stands = { standing: standingOf(values, person, daysThere), place }
  const back = match.leftScope ? 'backInScope' : 'backInFile'
  return noted(person ? compare(values, person.base, { ...stands, back }) : creation(values, stands), match)
}

/**
 * Decides about one record; undefined where nothing would change. Pure.
 *
 * @param newId the id that a new person will have
 */
export const planRecord = (record: StagedRecord, met: Met, newId: () => string): PlannedRow | undefined => {
  const { mapped, match } = met
  const decision = decide(record, met)
  if (!decision) return undefined
  const isNew = decision.kind === 'create' || (decision.kind === 'future' && !match.person)
  return {
    ...decision,
    rowNumber: record.rowNumber,
    userId: isNew ? newId() : (match.person?.userId ?? match.asked?.candidates[0]?.userId ?? null),
    ...(decision.kind === 'conflict' && record.sameKey === 1 && match.asked && { caseId: match.asked.caseId }),
    userVersion: match.person?.version ?? null,
    sourceKey: record.sourceKey,
    recordHash: record.recordHash,
    ...identityOf(mapped.values, match.person, record.sourceKey),
  }
}

/** Nobody is switched off twice: of somebody whom the dates keep away only that is forgotten, so that no date brings them back. */
const leaving = ({ locked, base }: CurrentPerson, code: 'missingFromFile' | 'outOfScope'): Decision => {
  if (locked) return refusal('conflict', [{ code: 'locked' }])
  const employment = base['active'] === false ? (base['employment'] ?? null) : null
  return employment === null
    ? { kind: 'deactivate', before: { active: true }, after: { active: false }, reasons: [{ code }] }
    : { kind: 'update', before: { employment }, after: { employment: null }, reasons: [{ code }] }
}

/**
 * Decides about a person who is linked to this source and whom the file does not name. Records whose key cannot be read may be anybody's: while
 * there are any, nobody is taken for a leaver.
 */
export const planLeaver = (
  person: CurrentPerson & { readonly sourceKey: string; readonly asked: boolean },
  unreadableKeys: number,
): PlannedRow => {
  const row = {
    rowNumber: null,
    userId: person.userId,
    userVersion: person.version,
    sourceKey: person.sourceKey,
    recordHash: null,
    displayName: person.displayName,
    employeeId: person.employeeId,
  }
  if (unreadableKeys > 0) return { ...row, ...refusal('conflict', [{ code: 'leaverUncertain', params: { rows: unreadableKeys } }]) }
  if (person.asked) return { ...row, ...refusal('conflict', [{ code: 'leaverAsked' }]) }
  return { ...row, ...leaving(person, 'missingFromFile') }
}

/** Who is in scope, and what has to be known of a record to say so. */
export interface Scope {
  readonly fields: ReadonlySet<string>
  readonly holds: (values: Readonly<Record<string, unknown>>) => boolean
}

/**
 * Whether a record is to be left out. What an empty cell leaves as it is counts as the person has it. In doubt it is not: of records with one key,
 * where a field concerned cannot be read, and for anybody known whose record is not valid.
 */
export const isOutOfScope = (
  { sameKey }: StagedRecord,
  { mapped, match }: { mapped: MappedRecord; match: Match },
  { fields, holds }: Scope,
): boolean => {
  const { values, initial, problems } = mapped
  const uncertain = match.person ? problems.length > 0 : problems.some(({ field = '' }) => fields.has(field))
  return sameKey === 1 && !uncertain && !holds({ ...initial, ...match.person?.base, ...values })
}

const NOBODY: Match = { person: null }

/** Whether somebody new of whom a record speaks could be in scope. */
export const mightBeInScope = (mapped: MappedRecord, scope: Scope): boolean =>
  !isOutOfScope({ rowNumber: 0, sourceKey: null, recordHash: '', sameKey: 1 }, { mapped, match: NOBODY }, scope)

/** Decides about a person whose record is there and out of scope: leaves as if it were not there. Undefined where nobody is to leave. */
export const planOutOfScope = (record: StagedRecord, { person }: Match): PlannedRow | undefined => {
  if (!person || (person.base['active'] === false && !person.base['employment'])) return undefined
  return {
    rowNumber: record.rowNumber,
    userId: person.userId,
    userVersion: person.version,
    sourceKey: record.sourceKey,
    recordHash: null,
    displayName: person.displayName,
    employeeId: person.employeeId,
    ...leaving(person, 'outOfScope'),
  }
}
