import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { countRows } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import { listRunHandler } from '../../platform/runs/list-run.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { readClaimFields } from '../settings/public.ts'
import { everyPerson, peopleSelect } from '../users/public.ts'
import { ensureExportFolder, exportPath, removeExport } from './export-files.ts'
import { ExportInput } from './export-input.ts'
import { exportedCells, exportedColumns, exportedValues } from './export-rows.ts'
import { exportWords } from './export-words.ts'
import { exportedPeople } from './exported-people.ts'
import { type FileWriter, MOST_IN_WORKBOOK, openWriter } from './file-writers.ts'

export interface ExportDeps {
  readonly db: Db
  readonly clock: Clock
  readonly dataDir: string
}

const BATCH = 1000

/** Writes everybody of the list as they are at one moment: nobody is missed or told twice while others change people. */
const writePeople = async ({ db, clock }: ExportDeps, { run, signal, progress }: RunContext, writer: FileWriter): Promise<number> => {
  const input = ExportInput.parse(run.input)
  const words = exportWords(input.locale)
  const { sort, format } = input
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const columns = exportedColumns(input.columns, { words, attributes: await readClaimFields(tx, run.tenantId) })
      await writer.add([columns.map(({ header }) => header)])
      const filter = await exportedPeople({ db: tx, clock }, run.tenantId, input)
      const count = await countRows(tx, peopleSelect(filter))
      const query = { filter, sort, columns: exportedValues(columns), batch: BATCH }
      let done = 0
      for await (const people of everyPerson<Record<string, unknown>>(tx, query)) {
        signal.throwIfAborted()
        done += people.length
        if (format === 'xlsx' && done > MOST_IN_WORKBOOK) throw new Error('the list has outgrown a workbook since the export was asked for')
        await writer.add(people.map((person) => exportedCells(person, columns)))
        progress({ counts: { done, total: Math.max(count.value, done) } })
      }
      return done
    })
}

/** Carries out exports. The file appears under its name when it is complete, never before; after a crash it is written from the start. */
export const exportHandler = (deps: ExportDeps): RunHandler =>
  listRunHandler({
    ...deps,
    discard: ({ id }) => removeExport(deps.dataDir, id),
    work: async (context) => {
      const { run } = context
      await ensureExportFolder(deps.dataDir)
      // a name of its own for every attempt: a worker that lost its lease may still be writing
      const name = `${run.id}.${randomUUID()}.part`
      const unfinished = exportPath(deps.dataDir, name)
      const writer = openWriter(ExportInput.parse(run.input).format, unfinished)
      try {
        const done = await writePeople(deps, context, writer)
        await writer.end()
        await rename(unfinished, exportPath(deps.dataDir, run.id))
        return { patch: { counts: { done, total: done } }, event: { type: 'export.finished', data: { count: done } } }
      } catch (error) {
        await writer.abort()
        await removeExport(deps.dataDir, name)
        throw error
      }
    },
  })

/** How many people an export would hold, counted no further than `most`. */
export const countExported = async (
  deps: Pick<ExportDeps, 'db' | 'clock'>,
  tenantId: string,
  given: { input: ExportInput; most: number },
) => {
  const filter = await exportedPeople(deps, tenantId, given.input)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${peopleSelect(filter)} limit ${given.most + 1}) found`.execute(deps.db)
  return rows[0]?.count ?? 0
}
