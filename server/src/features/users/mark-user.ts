import type { UserDetails } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Change, type EditDeps, eventBy } from './edit-deps.ts'
import { openPerson, personDetails, refusal } from './open-person.ts'
import type { PersonKey, PersonRecord } from './person.views.ts'

interface Marking {
  readonly key: PersonKey
  readonly change: Change
}

/** A mark as the event tells it. */
type Mark = Required<Pick<NewEvent, 'type' | 'before' | 'after'>> & Pick<NewEvent, 'data'>

const record = (tx: Tx, { key, change }: Marking, { person, mark }: { person: PersonRecord; mark: Mark }): Promise<void> =>
  recordEvents(tx, [
    {
      ...eventBy(change),
      ...mark,
      tenantId: key.tenantId,
      stream: 'user',
      subjectId: person.id,
      connectorId: person.connector_id,
      data: { ...mark.data, version: person.version + 1 },
    },
  ])

const marking = async (
  { db, definitionOf }: EditDeps,
  { key, change }: Marking,
  { act, mark }: { act: 'lock' | 'vip'; mark: (tx: Tx, person: PersonRecord) => Promise<Mark | undefined> },
): Promise<UserDetails> =>
  db.transaction().execute(async (tx) => {
    const { actor } = change
    const person = await openPerson(tx, key, { act, actor, definitionOf })
    const made = await mark(tx, person)
    if (made) await record(tx, { key, change }, { person, mark: made })
    return personDetails(tx, key, { actor, definitionOf })
  })

/**
 * Locks a person for editing. Whoever is locked with this reason stays so without a trace; throws `NOT_FOUND`, `USER_NOT_MODIFIABLE`, and
 * `USER_LOCKED` for somebody who is locked for another one.
 */
export const lockUser = (deps: EditDeps, { reason, ...given }: Marking & { reason: string }): Promise<UserDetails> =>
  marking(deps, given, {
    act: 'lock',
    mark: async (tx, person) => {
      if (person.locked && person.lock_reason === reason) return undefined
      if (person.locked) throw refusal('USER_LOCKED', person)
      await sql`
        update users set locked = true, lock_kind = 'admin', lock_reason = ${reason}, locked_by = ${JSON.stringify(eventBy(given.change).actor)}::jsonb,
          locked_at = ${given.change.at}::timestamptz, updated_at = ${given.change.at}::timestamptz, version = version + 1
        where tenant_id = ${person.tenant_id} and id = ${person.id}`.execute(tx)
      return { type: 'user.locked', data: { reason }, before: { locked: false }, after: { locked: true } }
    },
  })

/** Lifts an administrator's lock; throws `NOT_FOUND`, `USER_NOT_MODIFIABLE`, and `USER_LOCKED` while an erasure or a move holds the person. */
export const unlockUser = (deps: EditDeps, given: Marking): Promise<UserDetails> =>
  marking(deps, given, {
    act: 'lock',
    mark: async (tx, person) => {
      if (!person.locked) return undefined
      await sql`
        update users set locked = false, lock_kind = null, lock_reason = null, locked_by = null, locked_at = null,
          updated_at = ${given.change.at}::timestamptz, version = version + 1
        where tenant_id = ${person.tenant_id} and id = ${person.id}`.execute(tx)
      return { type: 'user.unlocked', before: { locked: true }, after: { locked: false } }
    },
  })

/** Marks a person as a VIP, or takes the mark away; throws `NOT_FOUND`, `USER_NOT_MODIFIABLE`, `USER_LOCKED`. */
export const markVip = (deps: EditDeps, { vip, ...given }: Marking & { vip: boolean }): Promise<UserDetails> =>
  marking(deps, given, {
    act: 'vip',
    mark: async (tx, person) => {
      if (person.vip === vip) return undefined
      await sql`
        update users set vip = ${vip}, updated_at = ${given.change.at}::timestamptz, version = version + 1
        where tenant_id = ${person.tenant_id} and id = ${person.id}`.execute(tx)
      return { type: vip ? 'user.vip.marked' : 'user.vip.unmarked', before: { vip: person.vip }, after: { vip } }
    },
  })
