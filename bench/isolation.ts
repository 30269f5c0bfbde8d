import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { startChild } from './child.ts'
import type { Figures, Scenario } from './harness.ts'
import type { ListWorld, Reach } from './list-cases.ts'

interface Hello extends ListWorld {
  readonly url: string
  readonly tokens: Record<Reach, string>
  readonly pool: pg.PoolConfig
  readonly issuer: string
}

/** A call that names one thing: `there` exists and is not the caller's, `absent` does not exist. */
interface Probe {
  readonly name: string
  readonly reach: Reach
  readonly there: string
  readonly absent: string
  readonly request: (id: string) => { method: 'GET' | 'POST'; path: string; body?: string }
}

/** Calls of each kind in one round, in turn. */
const CALLS = 400

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0

/** An id of the same kind and age that nobody has. */
const nobody = (id: string): string => id.replace(/^(.{24})(.{12})$/, (_, head: string) => `${head}${'f00dfeedbeef'}`)

/**
 * Whether the time of a refusal tells if there is something: the floor asks for what does not exist, the subject for what exists and is not the
 * caller's, in turn, so that the machine is the same to both. The ratio must be about 1.
 */
export const isolationScenario: Scenario = {
  name: 'isolation',
  units: Object.fromEntries(
    ['user', 'foreign user', 'site', 'site group', 'list at a site', 'count at a site', 'timeline'].map((name) => [name, 'µs']),
  ),
  prepare: async (options) => {
    const dataDir = options.get('data') ?? path.join(tmpdir(), 'instep-bench-isolation')
    const server = await startChild<Hello>('list-server.ts', [dataDir, options.get('users') ?? '100000'])
    const probes = await probesOf(server.hello)
    const pool = new Pool(server.hello.url, { connections: 1 })
    const ask = async ({ reach, request }: Probe, id: string): Promise<number> => {
      const { method, path, body } = request(id)
      const headers = { authorization: `Bearer ${server.hello.tokens[reach]}`, ...(body && { 'content-type': 'application/json' }) }
      const begun = performance.now()
      const response = await pool.request({ method, path, headers, body: body ?? null })
      await response.body.text()
      if (response.statusCode !== 404) throw new Error(`${method} ${path}: ${response.statusCode}`)
      return (performance.now() - begun) * 1000
    }
    let waiting: Figures | undefined
    // both sides are asked in turn within one round; the harness fetches the second half of what the first has measured
    const floor = async (): Promise<Figures> => {
      const absent: Figures = {}
      waiting = {}
      for (const probe of probes) {
        const times = { there: [] as number[], absent: [] as number[] }
        for (let call = 0; call < CALLS; call++)
          for (const side of call % 2 ? (['there', 'absent'] as const) : (['absent', 'there'] as const))
            times[side].push(await ask(probe, probe[side]))
        absent[probe.name] = median(times.absent)
        waiting[probe.name] = median(times.there)
      }
      return absent
    }
    return {
      floor,
      subject: async () => waiting ?? {},
      report: async () => ['floor: there is no such thing · subject: there is, and it is not the caller’s · medians of 400 calls a round'],
      close: async () => {
        await pool.close()
        await server.close()
      },
    }
  },
}

const probesOf = async ({ tenantId, sites, groups, pool }: Hello): Promise<Probe[]> => {
  const database = new pg.Client(pool)
  await database.connect()
  const one = async (text: string, values: unknown[]): Promise<string[]> =>
    Object.values((await database.query<Record<string, string>>(text, values)).rows[0] ?? {})
  const [hidden = '', connector = ''] = await one('select id, connector_id from users where tenant_id = $1 and site_id = $2 limit 1', [
    tenantId,
    sites.at(-1),
  ])
  const [foreignConnector = ''] = await one("select id from connectors where tenant_id <> $1 and kind = 'source' limit 1", [tenantId])
  await database.end()
  const [site = '', group = ''] = [sites.at(-1), groups.at(-1)]
  const probe = (name: string, id: string, request: Probe['request']): Probe => ({
    name,
    reach: 'one',
    there: id,
    absent: nobody(id),
    request,
  })
  const get = (path: string): ReturnType<Probe['request']> => ({ method: 'GET', path: `/v1${path}` })
  return [
    probe('user', hidden, (id) => get(`/connectors/${connector}/users/${id}`)),
    probe('foreign user', foreignConnector, (id) => get(`/connectors/${id}/users/${hidden}`)),
    probe('site', site, (id) => get(`/connectors/${tenantId}/sites/${id}`)),
    probe('site group', group, (id) => get(`/connectors/${tenantId}/site-groups/${id}`)),
    probe('list at a site', site, (id) => ({
      method: 'POST',
      path: `/v1/connectors/${tenantId}/users/search`,
      body: JSON.stringify({ siteId: id }),
    })),
    probe('count at a site', site, (id) => get(`/connectors/${connector}/stats?siteId=${id}`)),
    probe('timeline', hidden, (id) => get(`/connectors/${connector}/users/${id}/logs`)),
  ]
}
