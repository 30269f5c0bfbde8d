import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseRefusal } from '../database-refusal.ts'
import { becomesTrue, type ProcessFacts, processesIn, processFacts, signal } from './processes.ts'

/** How long a survivor gets to shut down in order, in milliseconds, before it is told to stop at once. */
const patience = 20_000

const pidIn = (dataDir: string): number | null => {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)
    return Number.isInteger(pid) && pid > 1 ? pid : null
  } catch {
    return null
  }
}

/**
 * Judges the process that a data directory's postmaster.pid names: a survivor is a living PostgreSQL of this directory; anything else
 * (no process, a zombie, a number that has passed on to another program) leaves a file that only stands in the way.
 */
export const isSurvivor = (facts: ProcessFacts | null, dataDir: string): boolean =>
  facts !== null && !facts.zombie && `${facts.commandLine} `.includes(` -D ${dataDir} `)

const stopInOrder = async (pid: number, alive: () => boolean): Promise<void> => {
  signal(pid, 'SIGINT')
  if (!(await becomesTrue(() => !alive(), patience))) signal(pid, 'SIGQUIT')
}

/**
 * Stops the database that a crash of its supervisor left running, and removes the pid files of one that died itself. Call it only while the
 * instance lock is held: otherwise it would stop a healthy neighbour.
 * @returns the process that was stopped, or null
 * @throws DatabaseRefusal when a process keeps using the data directory
 */
export const endSurvivor = async (dataDir: string, socketDir: string): Promise<number | null> => {
  const pid = pidIn(dataDir)
  const alive = () => pid !== null && isSurvivor(processFacts(pid), dataDir)
  const survivor = alive() ? pid : null
  if (survivor !== null) await stopInOrder(survivor, alive)
  // The children of a killed postmaster notice its death by themselves, a moment later.
  if (!(await becomesTrue(() => !alive() && processesIn(dataDir).length === 0, patience))) {
    throw new DatabaseRefusal(
      `Processes still use the data directory ${dataDir} (${processesIn(dataDir).join(', ') || pid}). Stop them and start again.`,
    )
  }
  // PostgreSQL takes a zombie, or another program under the same number, for a running database and would refuse to start.
  rmSync(join(dataDir, 'postmaster.pid'), { force: true })
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socketDir, name), { force: true })
  return survivor
}
