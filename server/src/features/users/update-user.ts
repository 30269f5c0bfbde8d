import type { UserInput } from '@instep/contract/user-edits.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import { admits, type IfMatch } from '../../platform/http/etag.ts'
import { problem } from '../../platform/http/problem.ts'
import { learnValues } from '../lookups/public.ts'
import { markPending, placeInSiteGroups } from '../provisioning/public.ts'
import { attributeTypes } from './attribute-types.ts'
import { changesSince } from './changes-since.ts'
import { type Change, type EditDeps, eventBy } from './edit-deps.ts'
import { claimExternalId, refusingTakenExternalId } from './external-ids.ts'
import { type Wrong, wrongMessages } from './field-words.ts'
import { openPerson, personDetails } from './open-person.ts'
import { removeOverrides, renewOverrides, setOverrides } from './overrides.store.ts'
import { findPerson, type PersonKey, type PersonRecord } from './person.views.ts'
import { currentOf, differences, editableOf } from './person-state.ts'
import { type EditPlan, planEdit, refusedFields } from './plan-edit.rules.ts'
import { type Asked, type OverrideTerms, readEdit } from './read-edit.rules.ts'
import { rewriteUsers } from './rewrite-users.ts'
import { wrongSite } from './site-choice.ts'

export interface Edit {
  readonly key: PersonKey
  readonly input: UserInput
  readonly ifMatch: IfMatch
  readonly change: Change
}

/**
 * Changes a person: of one from a source the overrides, of anybody else the base. Values are the effective ones; absent = leave, null = clear.
 * What changes nothing leaves no trace. Throws `NOT_FOUND`, `USER_LOCKED`, `USER_NOT_MODIFIABLE`, `USER_CHANGED` with who changed what since,
 * `INVALID` by field, `EMFB013`.
 */
export const updateUser = ({ db, definitionOf }: EditDeps, edit: Edit): Promise<UserDetails> =>
  db.transaction().execute(async (tx) => {
    const { key, ifMatch } = edit
    const { actor } = edit.change
    await keepSitesOpen(tx, key.tenantId)
    const person = await openPerson(tx, key, { act: 'edit', actor, definitionOf })
    const details = () => personDetails(tx, key, { actor, definitionOf })
    if (!admits(ifMatch, person.version)) {
      const user = await details()
      const changes = await changesSince(tx, key, ifMatch)
      throw problem('USER_CHANGED', { params: { name: user.displayName }, current: { user, changes } })
    }
    const asked = await readAsked(tx, edit, person)
    const plan = planEdit(asked, editableOf(person))
    if (plan) await carryOut(tx, { ...edit, person, plan })
    return details()
  })

/** What the edit asks for, where all of it can be taken. */
const readAsked = async (tx: Tx, { key, input, change }: Edit, person: PersonRecord): Promise<Asked> => {
  const { asked, wrong } = readEdit(input, currentOf(person), await attributeTypes(tx, key.tenantId, input))
  const siteWrong =
    asked.siteId === undefined || person.linked
      ? undefined
      : await wrongSite(tx, { tenantId: key.tenantId, siteId: asked.siteId, sites: key.sites })
  const all: Wrong = {
    ...wrong,
    ...refusedFields(asked, person.linked),
    ...(siteWrong && { siteId: siteWrong }),
    ...(isOver(input.overrideUntil, { timeZone: person.time_zone, at: change.at }) && { overrideUntil: 'dayOver' }),
  }
  if (Object.keys(all).length > 0) throw problem('INVALID', { fields: wrongMessages(all, person.connector_name) })
  return asked
}

/** Whether the day has ended where the person works. */
const isOver = (day: string | null | undefined, { timeZone, at }: { timeZone: string; at: Date }): boolean =>
  typeof day === 'string' && day < new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)

interface Carrying extends Edit {
  readonly person: PersonRecord
  readonly plan: EditPlan
}

const carryOut = async (tx: Tx, { key, input, ifMatch, change, person, plan }: Carrying): Promise<void> => {
  await write(tx, { key, input, change, person, plan })
  const edited = await findPerson(tx, key)
  // somebody whom the caller no longer sees stands at a site that is not theirs
  if (!edited) throw problem('INVALID', { fields: wrongMessages({ 'addresses.formatted': 'locationOutside' }) })
  const diff = differences(currentOf(person), currentOf(edited))
  const terms = termsTold(plan, editableOf(person).terms)
  const connectorId = person.connector_id
  await recordEvents(tx, [
    {
      ...eventBy(change),
      tenantId: key.tenantId,
      stream: 'user',
      type: typeOf(person, edited, plan),
      subjectId: person.id,
      connectorId,
      data: {
        version: edited.version,
        ...(!ifMatch.given && { unconditional: true }),
        ...(plan.set.size > 0 && { overridden: [...plan.set.keys()].join(', ') }),
        ...(plan.removed.size > 0 && { restored: [...plan.removed].join(', ') }),
        ...(plan.renewed.size > 0 && { renewed: [...plan.renewed.keys()].join(', ') }),
        ...(plan.set.size > 0 && input.overrideReason && { reason: input.overrideReason }),
        ...(plan.set.size > 0 && input.overrideUntil && { until: input.overrideUntil }),
      },
      before: { ...diff.before, ...terms.before },
      after: { ...diff.after, ...terms.after },
    },
  ])
  const { siteId: _, ...values } = diff.after
  const users = sql`select ${person.id}::uuid as user_id`
  // a site reaches no account, but perhaps groups
  if (Object.keys(values).length === 0) return placeInSiteGroups(tx, { tenantId: key.tenantId, users, correlationId: change.correlationId })
  await learnValues(tx, { tenantId: key.tenantId, users, origin: 'admin', at: change.at })
  await markPending(tx, { tenantId: key.tenantId, users, correlationId: change.correlationId })
}

/** What becomes other of the overrides that are renewed, as `<field>.reason` and `<field>.until`. */
const termsTold = ({ renewed }: EditPlan, was: ReadonlyMap<string, OverrideTerms>) => {
  const told = [...renewed].flatMap(([field, is]) =>
    (['reason', 'until'] as const).flatMap((term) => {
      const before = was.get(field)?.[term] ?? null
      return before === is[term] ? [] : [{ key: `${field}.${term}`, before, after: is[term] }]
    }),
  )
  return {
    before: Object.fromEntries(told.map(({ key, before }) => [key, before])),
    after: Object.fromEntries(told.map(({ key, after }) => [key, after])),
  }
}

const typeOf = (was: PersonRecord, is: PersonRecord, { set, removed, renewed }: EditPlan): string => {
  if (renewed.size > 0 && set.size + removed.size === 0) return 'user.override.renewed'
  if (was.active === is.active) return 'user.updated'
  return is.active ? 'user.reactivated' : 'user.deactivated'
}

const write = async (tx: Tx, { key, input, change, person, plan }: Omit<Carrying, 'ifMatch'>): Promise<void> => {
  const { tenantId } = key
  const at = { tenantId, userId: person.id }
  const externalId = externalIdAfter(plan, person)
  if (externalId !== undefined) await claimExternalId(tx, { tenantId, connectorId: person.connector_id, externalId })
  await removeOverrides(tx, at, [...plan.removed])
  await setOverrides(tx, {
    ...at,
    values: plan.set,
    by: eventBy(change),
    reason: input.overrideReason || null,
    until: input.overrideUntil ?? null,
    timeZone: person.time_zone,
  })
  await renewOverrides(tx, { ...at, terms: plan.renewed, by: eventBy(change), timeZone: person.time_zone })
  await refusingTakenExternalId(() =>
    rewriteUsers(tx, {
      tenantId,
      at: change.at,
      documents: sql`
        select ${person.id}::uuid as id, ${JSON.stringify(plan.base)}::jsonb as base, ${person.linked}::boolean as linked,
          ${plan.siteId !== undefined}::boolean as site_given, ${plan.siteId ?? null}::uuid as given_site`,
      bump: 'always',
    }),
  )
}

/** The external id that the edit gives the person, where it gives another one. */
const externalIdAfter = ({ base, set, removed }: EditPlan, { external_id, linked }: PersonRecord): string | undefined => {
  const given = set.get('externalId') ?? (!linked || removed.has('externalId') ? base['externalId'] : external_id)
  return given === external_id ? undefined : String(given)
}
