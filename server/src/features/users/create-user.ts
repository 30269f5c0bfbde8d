import { permits } from '@instep/contract/roles.ts'
import type { UserInput } from '@instep/contract/user-edits.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { learnValues } from '../lookups/public.ts'
import { markPending } from '../provisioning/public.ts'
import { attributeTypes } from './attribute-types.ts'
import { createUsers } from './bulk-write.ts'
import { type Change, type EditDeps, eventBy, takes } from './edit-deps.ts'
import { claimExternalId, externalIdTaken } from './external-ids.ts'
import { type Wrong, wrongMessages } from './field-words.ts'
import { personDetails } from './open-person.ts'
import { findPerson, type PersonKey } from './person.views.ts'
import { currentOf } from './person-state.ts'
import { readNewPerson } from './read-edit.rules.ts'
import { wrongSite } from './site-choice.ts'

export interface Creation {
  readonly tenantId: string
  /** Absent: the tenant's manual connector. */
  readonly connectorId: string | undefined
  readonly sites: Actor['sites']
  readonly input: UserInput
  readonly change: Change
}

/**
 * Adds a person by hand: one without a source, whose values are the base. Throws `INVALID` by field, `EMFB013`, `USER_NOT_MODIFIABLE` for a
 * connector that takes nobody.
 */
export const createUser = ({ db, definitionOf, manualConnector }: EditDeps, creation: Creation): Promise<UserDetails> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, sites, input, change } = creation
    const { actor } = change
    await keepSitesOpen(tx, tenantId)
    const connectorId = creation.connectorId ?? (await manualConnector(tx, { tenantId, by: eventBy(change) }))
    await assertTakesPeople(tx, { tenantId, connectorId, definitionOf, actor })
    const { document, wrong } = readNewPerson(input, await attributeTypes(tx, tenantId, input))
    const siteWrong = await wrongSite(tx, { tenantId, siteId: input.siteId, sites })
    const all: Wrong = { ...wrong, ...(siteWrong && { siteId: siteWrong }) }
    if (Object.keys(all).length > 0) throw problem('INVALID', { fields: wrongMessages(all) })

    await claimExternalId(tx, { tenantId, connectorId, externalId: String(document['externalId']) })
    const key = { tenantId, connectorId, sites, id: uuidv7(change.at.getTime()) }
    const rows = sql`select ${key.id}::uuid as user_id, ${JSON.stringify(document)}::jsonb as doc`
    const created = await createUsers(tx, { tenantId, connectorId, at: change.at, rows, siteId: input.siteId ?? undefined })
    if (created === 0) throw externalIdTaken()
    await record(tx, key, change)
    return personDetails(tx, key, { actor, definitionOf })
  })

const assertTakesPeople = async (
  tx: Tx,
  { tenantId, connectorId, definitionOf, actor }: { tenantId: string; connectorId: string; actor: Actor } & Pick<EditDeps, 'definitionOf'>,
): Promise<void> => {
  const connector = await tx
    .selectFrom('connectors')
    .select(['definition_id', 'permissions'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', connectorId)
    .executeTakeFirst()
  if (!connector) throw problem('NOT_FOUND')
  const { definition_id, permissions } = connector
  if (!takes(definitionOf(definition_id), 'create') || !permits('editUsers', actor.permissions, permissions))
    throw problem('USER_NOT_MODIFIABLE')
}

const record = async (tx: Tx, key: PersonKey & { connectorId: string }, change: Change): Promise<void> => {
  const person = await findPerson(tx, key)
  if (!person) throw problem('INTERNAL', { detail: `the person ${key.id} was created where the caller sees nobody` })
  const { fields, ...rest } = currentOf(person)
  const after = Object.fromEntries(Object.entries({ ...fields, ...rest }).filter(([, value]) => value !== null))
  const { tenantId, connectorId, id } = key
  await recordEvents(tx, [
    {
      ...eventBy(change),
      tenantId,
      stream: 'user',
      type: 'user.created',
      subjectId: id,
      connectorId,
      data: { version: person.version },
      after,
    },
  ])
  const users = sql`select ${id}::uuid as user_id`
  await learnValues(tx, { tenantId, users, origin: 'admin', at: change.at })
  await markPending(tx, { tenantId, users, correlationId: change.correlationId })
}
