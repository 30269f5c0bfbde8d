import { definitionOf } from '@instep/connectors/definitions.ts'
import { foldedName } from '@instep/contract/folded-name.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { type ConnectorChange, createConnector } from './create-connector.ts'

const MANUAL = 'manual'

/**
 * The id of the connector in which the people of a tenant live who were added by hand: the first manual one, an enabled one where there is one. It is
 * added where there is none; of two calls at once one waits for the other.
 */
export const manualConnector = async (tx: Tx, { tenantId, ...change }: { tenantId: string } & ConnectorChange): Promise<string> => {
  // in a statement of its own, because the next one then sees what was committed while this one waited
  await sql`select pg_advisory_xact_lock(hashtextextended(${`manual connector ${tenantId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ id: string; name_folded: string; definition_id: string }>`
    select id, name_folded, definition_id from connectors where tenant_id = ${tenantId} order by enabled desc, id`.execute(tx)
  const found = rows.find(({ definition_id }) => definition_id === MANUAL)
  if (found) return found.id
  const definition = definitionOf(MANUAL)
  if (!definition) throw new Error('there is no definition of a manual connector')
  const taken = new Set(rows.map(({ name_folded }) => name_folded))
  const name = freeName(definition.name, taken)
  const { id } = await createConnector(tx, { tenantId, definition, name, properties: {}, enabled: true }, change)
  return id
}

/** The name, with the first number that makes it free where it is taken. */
const freeName = (name: string, taken: ReadonlySet<string>, number = 1): string => {
  const tried = number === 1 ? name : `${name} ${number}`
  return taken.has(foldedName(tried)) ? freeName(name, taken, number + 1) : tried
}
