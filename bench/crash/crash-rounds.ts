import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ScimStandIn, startScimStandIn } from '@instep/server/testing/scim-stand-in.ts'
import { sql } from 'kysely'
import { type CrashWorld, databaseFolder, openFromOutside, seedCrashWorld } from './crash-world.ts'
import { driveRound } from './drive-round.ts'
import { killableInstep } from './killable-instep.ts'
import { asCsv, type Employee, nextDay, seeded } from './population.ts'

export interface CrashReport {
  readonly rounds: number
  readonly postmasterKills: number
  /** Kills while a file was on its way from its upload to "every account in step". */
  readonly amidWork: number
  /** What the checks found wrong, one sentence each; empty when nothing was lost and nothing was done twice. */
  readonly findings: readonly string[]
  readonly people: number
}

interface Options {
  readonly rounds: number
  readonly people: number
  readonly seed: number
  readonly say?: (line: string) => void
}

/**
 * Kills the server at a random moment of every round (in half of them the database's postmaster too), starts it again, and checks that the
 * directory and the target hold exactly what the last file says: nobody twice, nobody missing.
 */
export const crashRounds = async ({ rounds, people: size, seed, say = () => {} }: Options): Promise<CrashReport> => {
  const random = seeded(seed)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-crash-'))
  const target = await startScimStandIn()
  const instep = await killableInstep(dataDir)
  const findings: string[] = []
  let [postmasterKills, amidWork] = [0, 0]
  let people: Employee[] = []
  const everybody = new Set<string>()
  try {
    await instep.start()
    const world = await seedCrashWorld(dataDir, instep.publicUrl, target.url)
    // a server that ends in good order keeps what Node has compiled, and all that follow start in half the time
    await instep.stop()
    await instep.start()
    let usual = 0
    // the first of the two before fills the directory, the second shows how long a round takes: nothing is killed in them
    for (let round = -1; round <= rounds; round++) {
      people = nextDay(people, round + 1, { random, size })
      for (const { externalId } of people) everybody.add(externalId)
      const started = Date.now()
      let isOver = false
      const driven = driveRound(instep.url, world, { name: `round-${round}.csv`, csv: asCsv(people) }).finally(() => {
        isOver = true
      })
      if (round > 0) {
        const withPostmaster = round % 2 === 0
        const moment = Math.floor(random() * usual)
        await sleep(moment)
        instep.kill(withPostmaster)
        if (withPostmaster) postmasterKills++
        if (!isOver) amidWork++
        say(`round ${round}: killed after ${moment} ms${withPostmaster ? ', with the postmaster' : ''}`)
        await instep.start()
      }
      const run = await driven
      usual = round <= 0 ? Date.now() - started : usual
      if (run.state !== 'succeeded') findings.push(`round ${round}: the run ended as ${run.state}, ${JSON.stringify(run.failure)}`)
      findings.push(...(await differences(dataDir, world, { people, everybody, target })).map((finding) => `round ${round}: ${finding}`))
    }
    return { rounds, postmasterKills, amidWork, findings, people: everybody.size }
  } finally {
    await instep.stop().catch(() => instep.kill(true))
    await target.close()
    rmSync(databaseFolder(dataDir), { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Expected {
  readonly people: readonly Employee[]
  readonly everybody: ReadonlySet<string>
  readonly target: ScimStandIn
}

/** Where directory, record of events and target differ from what the files said. */
const differences = async (dataDir: string, world: CrashWorld, { people, everybody, target }: Expected): Promise<string[]> => {
  const found: string[] = []
  const { db, close } = openFromOutside(dataDir)
  try {
    const { rows: users } = await sql<{ id: string; department: string; active: boolean }>`
      select external_id as id, department, active from users where tenant_id = ${world.tenantId}`.execute(db)
    const { rows: events } = await sql<{ count: number }>`
      select count(*)::integer as count from events where tenant_id = ${world.tenantId} and type = 'user.created'`.execute(db)
    if (users.length !== everybody.size) found.push(`the directory has ${users.length} people, the files named ${everybody.size}`)
    if (events[0]?.count !== everybody.size) found.push(`${events[0]?.count} creations are recorded for ${everybody.size} people`)
    const byId = new Map(users.map((user) => [user.id, user]))
    const here = new Set(people.map(({ externalId }) => externalId))
    for (const { externalId, department } of people) {
      const user = byId.get(externalId)
      if (!user?.active || user.department !== department) found.push(`${externalId} is ${JSON.stringify(user)} in the directory`)
    }
    for (const user of users) if (user.active && !here.has(user.id)) found.push(`${user.id} left and is still active`)
    const accounts = Map.groupBy([...target.accounts.values()], ({ document }) => String(document['externalId']))
    for (const id of everybody) {
      const held = accounts.get(id) ?? []
      if (held.length !== 1) found.push(`${id} has ${held.length} accounts at the target`)
      if (held[0] && (held[0].document['active'] !== false) !== here.has(id))
        found.push(`${id} is wrongly ${here.has(id) ? 'off' : 'on'} at the target`)
    }
    if (accounts.size !== everybody.size) found.push(`the target knows ${accounts.size} people instead of ${everybody.size}`)
  } finally {
    await close()
  }
  return found.slice(0, 5)
}
