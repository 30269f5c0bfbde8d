import { sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

/** A row of `files`. */
export interface StoredFile {
  readonly tenantId: string
  readonly id: string
  readonly connectorId: string
  readonly name: string
  readonly size: number
  readonly format: 'csv' | 'xlsx'
  readonly createdAt: Date
  readonly deletedAt: Date | null
}

export const insertFile = async (tx: Tx, file: Omit<StoredFile, 'deletedAt'> & { createdBy: EventActor }): Promise<void> => {
  await sql`
    insert into files (tenant_id, id, connector_id, name, size, format, created_by, created_at)
    values (${file.tenantId}, ${file.id}, ${file.connectorId}, ${file.name}, ${file.size}, ${file.format}, ${JSON.stringify(file.createdBy)},
      ${file.createdAt})`.execute(tx)
}

/** One upload of a connector, also when its bytes are gone. */
export const findFile = async (
  db: Db | Tx,
  { tenantId, connectorId, fileId }: { tenantId: string; connectorId: string; fileId: string },
): Promise<StoredFile | undefined> => {
  const { rows } = await sql<StoredFile>`
    select tenant_id as "tenantId", id, connector_id as "connectorId", name, size, format, created_at as "createdAt", deleted_at as "deletedAt"
    from files where tenant_id = ${tenantId} and connector_id = ${connectorId} and id = ${fileId}`.execute(db)
  return rows[0]
}
