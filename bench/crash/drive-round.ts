import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '@instep/contract/sync.ts'
import type { CrashWorld } from './crash-world.ts'

const OPEN = new Set<Run['state']>(['queued', 'running', 'planned', 'held'])
const POLL = 60

interface Call {
  readonly method?: string
  readonly body?: FormData
  readonly json?: unknown
}

/** The server was not there, or went away; what a person would meet by trying again. */
class Unreachable extends Error {}

const caller =
  (url: string, token: string) =>
  async (path: string, { method = 'GET', body, json }: Call = {}) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(json ? { 'content-type': 'application/json' } : {}) },
      body: json ? JSON.stringify(json) : (body ?? null),
      signal: AbortSignal.timeout(20_000),
    }).catch((error: unknown) => {
      throw new Unreachable(String(error))
    })
    const answer = await response.json().catch((error: unknown) => {
      throw new Unreachable(String(error))
    })
    return { status: response.status, answer: answer as Record<string, unknown> }
  }

const MAPPING = {
  fields: {
    externalId: { column: 'Person ID' },
    givenName: { column: 'First name' },
    familyName: { column: 'Last name' },
    department: { column: 'Department' },
  },
}

/**
 * Brings one file from upload to "every account in step" as a patient person would: whatever breaks, look what there is and go on from there.
 *
 * @param name names the file; the run of this name is looked for after every break
 * @returns the run as it ended
 */
export const driveRound = async (url: string, world: CrashWorld, { name, csv }: { name: string; csv: string }): Promise<Run> => {
  const call = caller(url, world.token)
  const newest = async (): Promise<Run | undefined> => {
    const { answer } = await call(`/connectors/${world.tenantId}/runs?connectorId=${world.sourceId}&pageSize=1`)
    return (answer['data'] as Run[] | undefined)?.find((run) => run.fileName === name)
  }
  const begin = async () => {
    const form = new FormData()
    form.append('file', new Blob([csv], { type: 'text/csv' }), name)
    const { answer: file } = await call(`/connectors/${world.sourceId}/files`, { method: 'POST', body: form })
    await call(`/connectors/${world.sourceId}/runs`, { method: 'POST', json: { fileId: file['id'], mapping: MAPPING } })
  }
  const step = async (): Promise<Run | undefined> => {
    const run = await newest()
    if (!run) await begin()
    // many rounds in one day look like a slow bleed to the guard, and rightly so
    else if (run.state === 'planned' || run.state === 'held')
      await call(`/connectors/${world.tenantId}/runs/${run.id}/apply`, { method: 'POST', json: { reason: 'days pass quickly here' } })
    else if (!OPEN.has(run.state)) return (await allInStep()) ? run : undefined
    return undefined
  }
  const allInStep = async () => {
    const { answer } = await call(`/connectors/${world.tenantId}/instances/${world.targetId}/accounts/summary`)
    const counts = answer['counts'] as Record<string, number> | undefined
    return counts !== undefined && (counts['pending'] ?? 1) + (counts['failed'] ?? 0) + (counts['paused'] ?? 0) === 0
  }
  const giveUp = Date.now() + 120_000
  while (Date.now() < giveUp) {
    try {
      const ended = await step()
      if (ended) return ended
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
    }
    await sleep(POLL)
  }
  throw new Error(`${name} did not come to its end in two minutes; its run is ${JSON.stringify(await newest())}`)
}
