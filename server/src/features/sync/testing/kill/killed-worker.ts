import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type pg from 'pg'
import type { DeliverySettings } from './deliveries.ts'

/**
 * Where a worker dies: before its n-th statement, or before one that has this text (the n-th such), or so long after that one was sent; or at its
 * source: before it asks, with half of the file written, with the file there and not yet noted, before and after it puts the file aside.
 */
export type Death =
  | { readonly statement: number }
  | { readonly before: string; readonly time?: number; readonly laterMs?: number }
  | { readonly source: 'asking' | 'halfway' | 'fetched' | 'settling' | 'settled' }

export interface DyingWork {
  readonly database: pg.PoolConfig
  readonly dataDir: string
  readonly tenantId: string
  /** What the clock shows, in milliseconds. */
  readonly now: number
  readonly does: 'dates' | 'schedules' | { readonly run: string }
  /** Where its file comes from. */
  readonly delivery: DeliverySettings
  readonly dies: Death | null
}

const SCRIPT = path.join(import.meta.dirname, 'dying-worker.script.ts')

/** Lets a worker in a process of its own do something; answers whether it was killed at it. Throws where it failed by itself. */
export const letWork = async (work: DyingWork): Promise<{ killed: boolean; statements: number }> => {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(work)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, complaint] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (signal === 'SIGKILL') return { killed: true, statements: 0 }
  if (code !== 0) throw new Error(`the worker failed: ${complaint.slice(-2000)}`)
  return { killed: false, ...(JSON.parse(said) as { statements: number }) }
}
