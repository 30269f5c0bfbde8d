import type pg from 'pg'
import { uuidv7 } from '../../platform/ids.ts'
import type { MappedRecord } from './map-record.ts'
import { changedRecords, type MatchScope, missingPeople } from './match.ts'
import { planLeaver, planRecord } from './plan.ts'
import type { PlanWriter } from './plan-writer.ts'

export interface Comparison {
  /** In a transaction; not the writer's. */
  readonly client: pg.ClientBase
  readonly scope: MatchScope
  readonly map: (cells: readonly string[]) => MappedRecord
  readonly unreadableKeys: number
  readonly writer: PlanWriter
  readonly signal: AbortSignal
  readonly progress: (records: number) => void
}

/** Plans those who left, first in the plan because they are to be carried out first; answers how many active people would be deactivated. */
export const planLeavers = async ({ client, scope, unreadableKeys, writer, signal }: Comparison): Promise<number> => {
  let deactivations = 0
  for await (const people of missingPeople(client, scope)) {
    signal.throwIfAborted()
    for (const person of people) {
      const row = planLeaver(person, unreadableKeys)
      if (row.kind === 'deactivate' && person.active) deactivations += 1
      await writer.add(row)
    }
  }
  return deactivations
}

/** Plans the records that are not known to be unchanged, in the order of the file; answers how many of them are in the plan. */
export const planRecords = async ({ client, scope, map, writer, signal, progress }: Comparison): Promise<number> => {
  let compared = 0
  let planned = 0
  for await (const records of changedRecords(client, scope)) {
    signal.throwIfAborted()
    for (const { record, cells, match } of records) {
      const row = planRecord(record, { mapped: map(cells), match }, uuidv7)
      if (!row) continue
      planned += 1
      const wait = writer.add(row)
      if (wait) await wait
    }
    compared += records.length
    progress(compared)
  }
  return planned
}
