import type pg from 'pg'
import { uuidv7 } from '../../platform/ids.ts'
import { takeTurns } from '../../platform/take-turns.ts'
import type { CaseDrafts } from './case-drafts.ts'
import type { SiteDays } from './employment.rules.ts'
import type { MappedRecord } from './map-record.ts'
import { changedRecords, type MatchScope, missingPeople } from './match.ts'
import type { Placing } from './placement.rules.ts'
import { isOutOfScope, planLeaver, planOutOfScope, planRecord, type Scope } from './plan.ts'
import type { PlanWriter } from './plan-writer.ts'

export interface Comparison {
  /** In a transaction; not the writer's. */
  readonly client: pg.ClientBase
  readonly scope: MatchScope
  readonly map: (cells: readonly string[]) => MappedRecord
  /** Undefined: everybody is in scope. */
  readonly inScope: Scope | undefined
  /** The day at each site, by which start and end dates act. */
  readonly days: SiteDays
  readonly placing: Placing
  readonly unreadableKeys: number
  readonly writer: PlanWriter
  readonly drafts: CaseDrafts
  readonly signal: AbortSignal
  readonly progress: (records: number) => void
}

/** Plans those who left, first in the plan because they are to be carried out first. */
export const planLeavers = async ({ client, scope, unreadableKeys, writer, signal }: Comparison): Promise<void> => {
  for await (const people of missingPeople(client, scope)) {
    signal.throwIfAborted()
    for (const person of people) await writer.add(planLeaver(person, unreadableKeys))
  }
}

/**
 * Plans those whose records are out of scope, after the leavers and before all others, because they leave too; answers how many records
 * are out of scope.
 */
export const planScope = async ({ client, scope, inScope, map, writer, signal }: Comparison): Promise<number> => {
  let outOfScope = 0
  if (!inScope) return outOfScope
  const turn = takeTurns()
  for await (const records of changedRecords(client, scope)) {
    signal.throwIfAborted()
    for (const { record, cells, match } of records) {
      const pause = turn()
      if (pause) await pause
      if (!isOutOfScope(record, { mapped: map(cells), match }, inScope)) continue
      outOfScope += 1
      const row = planOutOfScope(record, match)
      if (row) await writer.add(row)
    }
  }
  return outOfScope
}

/**
 * Plans the records in scope that are not known to be unchanged, in the order of the file; answers how many of them are in the plan, and how many answers
 * leave out.
 */
export const planRecords = async ({ client, scope, inScope, days, placing, map, writer, drafts, signal, progress }: Comparison) => {
  let compared = 0
  let ignored = 0
  let planned = 0
  // an expression of a mapping may take milliseconds a record
  const turn = takeTurns()
  for await (const records of changedRecords(client, scope)) {
    signal.throwIfAborted()
    for (const { record, cells, match } of records) {
      const pause = turn()
      if (pause) await pause
      const mapped = map(cells)
      if (inScope && isOutOfScope(record, { mapped, match }, inScope)) continue
      if (match.ignored && record.sameKey === 1) {
        ignored += 1
        continue
      }
      const row = planRecord(record, { mapped, match, days, placing }, uuidv7)
      if (!row) continue
      planned += 1
      if (row.caseId && match.asked) drafts.add(row, { asked: match.asked, cells, values: mapped.values })
      const wait = writer.add(row)
      if (wait) await wait
    }
    await drafts.flush()
    compared += records.length
    progress(compared)
  }
  return { planned, ignored }
}
