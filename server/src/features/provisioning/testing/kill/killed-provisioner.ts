import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type pg from 'pg'

/** Where a provisioner dies by itself, at its n-th request of a method or at what is written down about it. */
export interface Death {
  readonly point: 'before send' | 'after reply' | 'before commit' | 'after commit'
  readonly method: string
  readonly write: number
}

export interface DyingProvisioner {
  readonly database: pg.PoolConfig
  readonly baseUrl: string
  readonly token: string
  readonly concurrency: number
  /** What the clock shows, in milliseconds, while everything due is done once; null: the real clock, until it is killed. */
  readonly now: number | null
  readonly dies: Death | null
}

const SCRIPT = path.join(import.meta.dirname, 'dying-provisioner.script.ts')

/** A provisioner in a process of its own. */
export interface Worker {
  readonly process: ChildProcess
  /** Resolves when it is over with whether it was killed. Rejects where it failed by itself. */
  readonly killed: Promise<boolean>
}

export const startWorker = (work: DyingProvisioner): Worker => {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(work)], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const over = async (): Promise<boolean> => {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    if (signal === 'SIGKILL') return true
    if (code !== 0) throw new Error(`the worker failed: ${complaint.slice(-2000)}`)
    return false
  }
  return { process: child, killed: over() }
}
