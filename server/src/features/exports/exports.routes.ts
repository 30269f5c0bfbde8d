import { createReadStream } from 'node:fs'
import * as contract from '@instep/contract/exports.ts'
import { attributeColumn, EXPORT_COLUMNS, type FileColumn } from '@instep/contract/user-columns.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { listRunEvent } from '../../platform/runs/list-run.ts'
import { isOver } from '../../platform/runs/run.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import { watch } from '../../platform/runs/watch.ts'
import { readClaimFields } from '../settings/public.ts'
import { ensureExportFolder, exportPath, hasExport } from './export-files.ts'
import { EXPORT_RUN, type ExportInput } from './export-input.ts'
import { ownAttributes } from './export-rows.ts'
import { countExported, type ExportDeps } from './export-run.ts'
import { exportWords } from './export-words.ts'
import { MOST_IN_WORKBOOK } from './file-writers.ts'
import { cancelListRun, findListRun, type ListRunKey, presentListRun, seesAll } from './list-runs.ts'

const WATCH_MILLISECONDS = 300

export interface ExportsDeps extends ExportDeps {
  /** Tells the worker that there is a run to carry out. */
  readonly nudge: () => void
}

const adminOf = (actor: Actor) => ({ kind: 'admin' as const, id: actor.id, name: actor.name })

/** Refuses a list without anybody, and one that is too long for its format. */
const assertFits = async (deps: ExportDeps, tenantId: string, input: ExportInput): Promise<void> => {
  const count = await countExported(deps, tenantId, { input, most: input.format === 'xlsx' ? MOST_IN_WORKBOOK : 1 })
  if (count === 0) throw problem('NO_DATA')
  if (input.format === 'xlsx' && count > MOST_IN_WORKBOOK) throw problem('TOO_MANY_FOR_XLSX', { params: { limit: MOST_IN_WORKBOOK } })
}

/** Exports that one administrator may have waiting or under way: two workers carry out everybody's runs. */
const MOST_OPEN = 3

const assertFewOpen = async (tx: Tx, tenantId: string, actor: Actor): Promise<void> => {
  // one at a time, so that several at once are not one too many
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${actor.id}`}, 0))`.execute(tx)
  const { rows } = await sql`
    select from runs
    where tenant_id = ${tenantId} and kind = ${EXPORT_RUN} and state in ('queued', 'running') and created_by ->> 'id' = ${actor.id}
    limit ${MOST_OPEN}`.execute(tx)
  if (rows.length >= MOST_OPEN) throw problem('TOO_MANY_REQUESTS')
}

interface NewExport {
  readonly tenantId: string
  readonly actor: Actor
  readonly correlationId: string
  readonly input: ExportInput
}

const startExport = async (deps: ExportsDeps, { tenantId, actor, correlationId, input }: NewExport) => {
  await assertFits(deps, tenantId, input)
  const at = deps.clock.now()
  const run = await deps.db.transaction().execute(async (tx) => {
    await assertFewOpen(tx, tenantId, actor)
    const queued = await insertRun(tx, {
      tenantId,
      id: uuidv7(at.getTime()),
      kind: EXPORT_RUN,
      connectorId: null,
      correlationId,
      input,
      stages: [],
      createdBy: adminOf(actor),
      createdAt: at,
    })
    if (!queued) throw new Error('a run without a connector is always taken')
    await recordEvents(tx, [listRunEvent(queued, at, { type: 'export.started', data: { format: input.format } })])
    return queued
  })
  deps.nudge()
  return presentListRun(run)
}

const everyColumn = async (db: Db, tenantId: string): Promise<FileColumn[]> => [
  ...EXPORT_COLUMNS,
  ...ownAttributes(await readClaimFields(db, tenantId)).map(({ id }) => attributeColumn(id)),
]

/** Exports of people, and runs over lists. */
export const exportsRoutes = (deps: ExportsDeps): Route[] => {
  const { db, clock, dataDir } = deps
  const keyOf = (call: { tenantId: string; actor: Actor; params: { runId: string } }): ListRunKey => ({
    tenantId: call.tenantId,
    actor: call.actor,
    runId: call.params.runId,
  })

  return [
    route(contract.exportUsers, async ({ tenantId, connectorId, actor, body, correlationId }) => {
      const { format, filter, userIds, exceptIds, sort, columns = await everyColumn(db, tenantId), locale } = body
      const fileName = `${exportWords(locale).fileName}-${clock.now().toISOString().slice(0, 10)}.${format}`
      const sites = actor.sites === 'all' ? 'all' : [...actor.sites]
      const asked = { format, filter, sort, columns, locale, sites, fileName } as const
      const people = { ...(connectorId && { connectorId }), ...(userIds && { userIds }), ...(exceptIds && { exceptIds }) }
      const input: ExportInput = { ...asked, ...people }
      return startExport(deps, { tenantId, actor, correlationId, input })
    }),

    route(contract.getListRun, async (call) => presentListRun(await findListRun(db, keyOf(call)))),

    route(contract.watchListRun, async (call) => {
      await findListRun(db, keyOf(call))
      const look = async () => {
        const run = await findListRun(db, keyOf(call))
        return { value: presentListRun(run), mark: String(run.version), over: isOver(run.state) }
      }
      return watch(look, { signal: call.signal, pollMilliseconds: WATCH_MILLISECONDS })
    }),

    route(contract.cancelListRun, async (call) => presentListRun(await cancelListRun(deps, keyOf(call)))),

    route(contract.downloadExport, async (call) => {
      const run = await findListRun(db, keyOf(call))
      if (run.kind !== EXPORT_RUN) throw problem('NOT_FOUND')
      if (run.state !== 'succeeded') throw problem('RUN_STATE_WRONG', { params: { state: run.state } })
      if (!seesAll(call.actor, run)) throw problem('FILE_GONE')
      await ensureExportFolder(dataDir)
      if (!(await hasExport(dataDir, run.id))) throw problem('FILE_GONE')
      const { fileName, format } = run.input as unknown as ExportInput
      const data = { file: fileName }
      await db.transaction().execute((tx) =>
        recordEvents(tx, [
          {
            ...listRunEvent(run, clock.now(), { type: 'export.downloaded', data, actor: adminOf(call.actor) }),
            correlationId: call.correlationId,
          },
        ]),
      )
      return {
        contentType: format === 'csv' ? `${contract.EXPORT_TYPES.csv}; charset=utf-8` : contract.EXPORT_TYPES[format],
        fileName,
        body: createReadStream(exportPath(dataDir, run.id)),
      }
    }),
  ]
}
