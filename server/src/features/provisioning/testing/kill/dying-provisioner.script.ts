/** A provisioner in a process of its own that kills itself with SIGKILL, as a power cut or the kernel would. Started by `killed-provisioner.ts`. */
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import pg from 'pg'
import { Pool } from 'undici'
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log.ts'
import { createProvisioner } from '../../provisioner.ts'
import type { DyingProvisioner } from './killed-provisioner.ts'

const work = JSON.parse(process.argv[2] ?? '{}') as DyingProvisioner
const { dies } = work
let writes = 0

const die = () => process.kill(process.pid, 'SIGKILL')

const textOf = (query: unknown): string => {
  if (typeof query === 'string') return query
  const { text } = (query ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

// the answers of a batch are recorded in one transaction, which ends with the next commit on the same connection
const recording = new WeakSet<object>()
const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    const text = textOf(given[0])
    if (text.includes('json_to_recordset') && writes >= (dies?.write ?? 0)) recording.add(this)
    const ends = text.toLowerCase().startsWith('commit') && recording.has(this)
    if (ends && dies?.point === 'before commit') die()
    const done = query.apply(this, given)
    if (ends && dies?.point === 'after commit') void Promise.resolve(done).then(die)
    return done
  },
})

const origin = new URL(work.baseUrl).origin
const dispatcher = new Pool(origin, { connections: work.concurrency })
const { request } = dispatcher
Object.assign(dispatcher, {
  request: async (...given: Parameters<typeof request>) => {
    const counts = (given[0] as { method?: string }).method === dies?.method
    if (counts) writes += 1
    const last = counts && writes === dies?.write
    if (last && dies?.point === 'before send') die()
    const answer = await request.apply(dispatcher, given)
    if (last && dies?.point === 'after reply') die()
    return answer
  },
})

const { db, close } = openDatabase({ ...work.database, max: 6 })
const { now } = work
const provisioner = createProvisioner({
  db,
  clock: { now: () => new Date(now ?? Date.now()) },
  log: silentLog,
  openTarget: async () => createScimTarget({ baseUrl: work.baseUrl, allowHttp: true }, { token: work.token }, { dispatcher }),
  concurrency: work.concurrency,
})
if (now === null) provisioner.start()
else {
  await provisioner.runOnce()
  await dispatcher.close()
  await close()
}
