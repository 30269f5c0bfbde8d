import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type CaseRow, findCasePeople, findCases } from './cases.views.ts'
import { assertMayImport } from './decide-run.ts'
import { linkRecord, type Replaced, unlinkRecord } from './link-record.ts'
import type { SyncDeps } from './sync-deps.ts'

/** What somebody answers; a link without a person means the only candidate. */
export type Answer =
  | { readonly decision: 'link'; readonly userId?: string | undefined }
  | { readonly decision: 'create' }
  | { readonly decision: 'ignore'; readonly reason: string }

interface CaseAct {
  readonly tenantId: string
  readonly caseId: string
  readonly by: EventActor
  readonly correlationId: string
}

const lockCase = async (tx: Tx, { tenantId, caseId }: CaseAct, state: CaseRow['state']): Promise<CaseRow> => {
  const [found] = await findCases(tx, { tenantId, caseIds: [caseId] }, true)
  if (!found) throw problem('NOT_FOUND')
  await assertMayImport(tx, { tenantId, connectorId: found.connectorId })
  if (found.state !== state) throw problem('CASE_STATE_WRONG')
  return found
}

/** The person that an answer means, locked until the transaction ends, or the problem that keeps the record from being linked to them. */
const lockPerson = async (tx: Tx, { tenantId }: CaseAct, { found, userId }: { found: CaseRow; userId: string | undefined }) => {
  const meant = userId ?? (found.people.length === 1 ? found.people[0]?.userId : undefined)
  if (!meant || !found.people.some((person) => person.userId === meant)) throw problem('NOT_FOUND')
  await sql`select from users where tenant_id = ${tenantId} and id = ${meant} for update`.execute(tx)
  const person = (await findCasePeople(tx, { tenantId, caseIds: [found.id] })).find((one) => one.userId === meant)
  if (!person) throw problem('NOT_FOUND')
  if (person.linkRefusal) throw problem(person.linkRefusal)
  return person
}

const caseEvent = (act: CaseAct, found: CaseRow, at: Date) => ({
  tenantId: act.tenantId,
  at,
  stream: 'directory' as const,
  correlationId: act.correlationId,
  actor: act.by,
  connectorId: found.connectorId,
})

const personEvent = (act: CaseAct, { found, type, at }: { found: CaseRow; type: string; at: Date }, userId: string) => ({
  ...caseEvent(act, found, at),
  stream: 'user' as const,
  type,
  subjectId: userId,
  data: { key: found.sourceKey, caseId: found.id },
})

const remember = async (
  tx: Tx,
  { tenantId, caseId, by }: CaseAct,
  { answer, userId, replaced, at }: { answer: Answer; userId: string | null; replaced: Replaced | null; at: Date },
): Promise<void> => {
  await sql`
    update match_cases set state = 'answered', decision = ${answer.decision}, user_id = ${userId}, decided_by = ${JSON.stringify(by)},
      decided_at = ${at}, reason = ${answer.decision === 'ignore' ? answer.reason : null}, before = ${replaced && JSON.stringify(replaced)}
    where tenant_id = ${tenantId} and id = ${caseId}`.execute(tx)
}

/** Answers an open case. A link stands at once; people change when a run acts on the answer. */
export const answerCase = async ({ db, clock }: SyncDeps, { answer, ...act }: CaseAct & { answer: Answer }): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const at = clock.now()
    const found = await lockCase(tx, act, 'open')
    const { tenantId } = act
    const { connectorId, sourceKey } = found
    if (answer.decision === 'create' && found.idTaken) throw problem('CASE_ID_TAKEN')
    const person = answer.decision === 'link' ? await lockPerson(tx, act, { found, userId: answer.userId }) : undefined
    const replaced = person ? await linkRecord(tx, { tenantId, connectorId, sourceKey, userId: person.userId, at }) : null
    await remember(tx, act, { answer, userId: person?.userId ?? null, replaced, at })
    await recordEvents(tx, [
      {
        ...caseEvent(act, found, at),
        type: 'case.answered',
        data: {
          name: found.displayName,
          decision: answer.decision,
          caseId: found.id,
          ...(answer.decision === 'ignore' && { reason: answer.reason }),
        },
      },
      ...(person ? [personEvent(act, { found, type: 'user.linked', at }, person.userId)] : []),
    ])
  })
}

const isKnownKey = async (tx: Tx, { tenantId }: CaseAct, { connectorId, sourceKey }: CaseRow): Promise<boolean> => {
  const { rows } = await sql`
    select from source_links where tenant_id = ${tenantId} and connector_id = ${connectorId} and source_key = ${sourceKey}`.execute(tx)
  return rows.length > 0
}

/** Takes back an answer that no run has acted on; the case is open again, and a person who was linked is where they were before. */
export const takeBackAnswer = async ({ db, clock }: SyncDeps, act: CaseAct): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const at = clock.now()
    const found = await lockCase(tx, act, 'answered')
    const { tenantId, caseId } = act
    const { connectorId, sourceKey, userId } = found
    if (found.decision === 'link' && userId)
      await unlinkRecord(tx, { tenantId, connectorId, sourceKey, userId, at, replaced: found.before as Replaced })
    else if (await isKnownKey(tx, act, found)) throw problem('CASE_ACTED_ON')
    await sql`
      update match_cases set state = 'open', decision = null, user_id = null, decided_by = null, decided_at = null, reason = null, before = null
      where tenant_id = ${tenantId} and id = ${caseId}`.execute(tx)
    await recordEvents(tx, [
      { ...caseEvent(act, found, at), type: 'case.takenBack', data: { name: found.displayName, caseId } },
      ...(userId ? [personEvent(act, { found, type: 'user.unlinked', at }, userId)] : []),
    ])
  })
}
