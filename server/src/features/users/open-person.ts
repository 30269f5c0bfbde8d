import type { ProblemCode } from '@instep/contract/problem.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { userTargets } from '../provisioning/public.ts'
import { type EditDeps, takes } from './edit-deps.ts'
import { permitsFor } from './person.policy.ts'
import { editabilityOf, presentDetails } from './person.presenter.ts'
import { findPerson, lockPerson, type PersonKey, type PersonRecord } from './person.views.ts'

type Act = keyof ReturnType<typeof permitsFor>

/** Locks a person for a change by somebody who may make it, and reads them. Throws `NOT_FOUND`, or why the change may not be made. */
export const openPerson = async (
  tx: Tx,
  key: PersonKey,
  { act, actor, definitionOf }: { act: Act; actor: Actor } & Pick<EditDeps, 'definitionOf'>,
): Promise<PersonRecord> => {
  // in a statement of its own, because the next one then sees what was committed while this one waited
  const person = (await lockPerson(tx, key)) ? await findPerson(tx, key) : undefined
  if (!person) throw problem('NOT_FOUND')
  const { allowed, code } = permitsFor(actor, editabilityOf(person, takes(definitionOf(person.definition_id), 'update')))[act]
  if (!allowed) throw refusal(code as ProblemCode, person)
  return person
}

/** A refusal with what its words need to know of the person. */
export const refusal = (code: ProblemCode, { lock_reason }: PersonRecord) =>
  problem(code, code === 'USER_LOCKED' ? { params: { reason: lock_reason ?? '' } } : {})

/** A person as a profile shows them to this caller; throws `NOT_FOUND`. */
export const personDetails = async (
  db: Db | Tx,
  key: PersonKey,
  { actor, definitionOf }: { actor: Actor } & Pick<EditDeps, 'definitionOf'>,
): Promise<UserDetails> => {
  const person = await findPerson(db, key)
  if (!person) throw problem('NOT_FOUND')
  const targets = await userTargets(db, { tenantId: key.tenantId, userId: person.id })
  return presentDetails(person, { targets, actor, takesUpdates: takes(definitionOf(person.definition_id), 'update') })
}
