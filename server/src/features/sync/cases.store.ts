import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import type { CaseDraft, CaseDrafts } from './case-drafts.ts'
import { runEvent } from './run-event.ts'

interface Keeping {
  readonly run: RunRow
  readonly drafts: CaseDrafts
  readonly at: Date
  /** Only some records were read: of the others nothing is known. */
  readonly partial: boolean
}

/** Opens cases and brings open ones up to date; what somebody has answered meanwhile stays answered. Answers how many were opened. */
const openCases = async (tx: Tx, { run, at }: Keeping, drafts: readonly CaseDraft[]): Promise<number> => {
  const { rows } = await sql<{ opened: boolean }>`
    insert into match_cases as c (tenant_id, id, connector_id, source_key, kind, display_name, employee_id, record, candidates, run_id, row_number,
      opened_at)
    select ${run.tenantId}, d.id, ${run.connectorId}, d.source_key, d.kind, d.display_name, d.employee_id, d.record, d.candidates, ${run.id},
      d.row_number, ${at}
    from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as d (id uuid, source_key text, kind text, display_name text, employee_id text,
      record jsonb, candidates jsonb, row_number integer)
    on conflict (tenant_id, connector_id, source_key) where state <> 'closed' do update set
      kind = excluded.kind, display_name = excluded.display_name, employee_id = excluded.employee_id, record = excluded.record,
      candidates = excluded.candidates, run_id = excluded.run_id, row_number = excluded.row_number,
      state = 'open', decision = null, user_id = null, decided_by = null, decided_at = null, reason = null, before = null
    where (c.state = 'open' or c.source_key in (
        select r.source_key from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as r (source_key text, reopens boolean) where r.reopens
      ))
      and (c.state, c.kind, c.display_name, c.employee_id, c.record, c.candidates, c.row_number)
        is distinct from ('open', excluded.kind, excluded.display_name, excluded.employee_id, excluded.record, excluded.candidates, excluded.row_number)
    returning (xmax = 0) as opened`.execute(tx)
  return rows.filter(({ opened }) => opened).length
}

/** Closes the open cases of which the plan asks nothing any more: their record has left the source, or it is clear who it is. */
const closeSettled = async (tx: Tx, { run, at, partial }: Keeping): Promise<number> => {
  const result = await sql`
    update match_cases c set state = 'closed', closed_at = ${at},
      closed_because = case when exists (
        select from staged_records s where s.run_id = ${run.id} and s.source_key = c.source_key
      ) then 'settled' else 'recordGone' end
    where c.tenant_id = ${run.tenantId} and c.connector_id = ${run.connectorId} and c.state = 'open'
      and (${!partial} or exists (select from staged_records s where s.run_id = ${run.id} and s.source_key = c.source_key))
      and not exists (
        select from plan_rows p
        where p.tenant_id = c.tenant_id and p.run_id = ${run.id} and p.kind in ('conflict', 'invalid') and p.source_key = c.source_key
      )`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/** Keeps the cases of a plan that has just been written, in its transaction, and closes those that have settled themselves. */
export const keepCases = async (tx: Tx, keeping: Keeping): Promise<void> => {
  let opened = 0
  for await (const drafts of keeping.drafts.read()) opened += await openCases(tx, keeping, drafts)
  const closed = await closeSettled(tx, keeping)
  const { run, at } = keeping
  await recordEvents(tx, [
    ...(opened > 0 ? [runEvent(run, { type: 'cases.opened', at, data: { count: opened } })] : []),
    ...(closed > 0 ? [runEvent(run, { type: 'cases.closed', at, data: { count: closed } })] : []),
  ])
}

/** Lets go of the cases that the plan of a trial speaks of and that nobody keeps; those that were open before stay named. */
export const forgetUnkeptCases = async (tx: Tx, { tenantId, runId }: { tenantId: string; runId: string }): Promise<void> => {
  await sql`
    update plan_rows p set case_id = null
    where p.tenant_id = ${tenantId} and p.run_id = ${runId} and p.case_id is not null
      and not exists (select from match_cases c where c.tenant_id = p.tenant_id and c.id = p.case_id)`.execute(tx)
}
