import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** What is known of a process. A zombie has ended, but nobody has collected it: signals to it still succeed. */
export interface ProcessFacts {
  zombie: boolean
  commandLine: string
}

const hasProc = existsSync('/proc/self/stat')

const readProc = (pid: number): ProcessFacts | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The state follows the name, which stands in parentheses and may itself contain some.
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
    return { zombie: state === 'Z' || state === 'X', commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
  } catch {
    return null
  }
}

const askPs = (pid: number): ProcessFacts | null => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const line = (stdout ?? '').trim()
  if (line === '') return null
  const space = line.indexOf(' ')
  return { zombie: line.startsWith('Z'), commandLine: line.slice(space + 1) }
}

/** Looks a process up; null when there is none. */
export const processFacts = (pid: number): ProcessFacts | null => (hasProc ? readProc(pid) : askPs(pid))

/** The processes whose working directory is `dir`, as every PostgreSQL process's is its data directory. Empty where the system does not tell. */
export const processesIn = (dir: string): number[] => {
  if (!hasProc) return []
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) === dir) found.push(pid)
    } catch {
      // It has ended, or belongs to another user and is none of ours.
    }
  }
  return found
}

/** Sends a signal; a process that has ended meanwhile is no error. */
export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Waits until a condition holds, asking every few milliseconds. False when it does not within `ms` milliseconds. */
export const becomesTrue = async (condition: () => boolean, ms: number): Promise<boolean> => {
  const end = performance.now() + ms
  while (!condition()) {
    if (performance.now() > end) return false
    await delay(5)
  }
  return true
}
