import type pg from 'pg'
import { batches } from './batches.ts'
import type { BaseValues } from './map-record.ts'
import type { Asked } from './plan.ts'
import type { PlannedRow } from './plan-row.ts'
import { storable } from './source-profile.ts'

/** A case as a plan wants it kept, by the columns of `match_cases`. */
export interface CaseDraft {
  readonly id: string
  readonly source_key: string
  readonly kind: string
  readonly reopens: boolean
  readonly display_name: string
  readonly employee_id: string
  readonly record: { readonly raw: readonly (readonly [column: string, text: string])[]; readonly values: BaseValues }
  readonly candidates: Asked['candidates']
  readonly row_number: number
}

/** Gathers the cases of a plan that is being written, in a temporary table, so that memory does not grow with their number. */
export interface CaseDrafts {
  add(row: PlannedRow, of: { asked: Asked; cells: readonly string[]; values: BaseValues }): void
  /** Puts what was added into the table. */
  flush(): Promise<void>
  /** What was put there, in batches. */
  read(): AsyncGenerator<CaseDraft[]>
}

/** Opens the drafts on a client in a transaction; they are gone when it ends. */
export const createCaseDrafts = async (client: pg.ClientBase, header: readonly string[]): Promise<CaseDrafts> => {
  await client.query('create temporary table case_drafts (doc jsonb) on commit drop')
  const columns = header.map(storable)
  let added: CaseDraft[] = []
  return {
    add: (row, { asked, cells, values }) => {
      added.push({
        id: asked.caseId,
        source_key: row.sourceKey ?? '',
        kind: asked.kind,
        reopens: asked.reopens,
        display_name: row.displayName,
        employee_id: row.employeeId,
        record: { raw: columns.map((column, place) => [column, storable(cells[place] ?? '')] as const), values },
        candidates: asked.candidates,
        row_number: row.rowNumber ?? 0,
      })
    },
    flush: async () => {
      if (added.length === 0) return
      await client.query('insert into case_drafts select * from jsonb_array_elements($1::jsonb)', [JSON.stringify(added)])
      added = []
    },
    read: async function* () {
      for await (const rows of batches<[CaseDraft]>(client, 'drafts', 'select doc from case_drafts')) yield rows.map(([doc]) => doc)
    },
  }
}
