/** A provisioner in a process of its own that kills itself with SIGKILL, as a power cut or the kernel would. Started by `killed-provisioner.ts`. */
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import { watchedDispatcher } from '@instep/connectors/scim/testing/watched-dispatcher.ts'
import pg from 'pg'
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

const dispatcher = watchedDispatcher(new URL(work.baseUrl).origin, {
  connections: work.concurrency,
  sends: (method) => {
    if (method !== dies?.method) return 0
    writes += 1
    if (writes === dies.write && dies.point === 'before send') die()
    return writes
  },
  replied: (count) => {
    if (count === dies?.write && dies.point === 'after reply') die()
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
