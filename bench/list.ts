import { tmpdir } from 'node:os'
import path from 'node:path'
import { Pool } from 'undici'
import { type Child, startChild } from './child.ts'
import type { Figures, Scenario } from './harness.ts'
import { type ListCase, type ListWorld, listCases, type Reach } from './list-cases.ts'

interface Hello extends ListWorld {
  readonly url: string
  readonly tokens: Record<Reach, string>
  readonly pool: object
  readonly issuer: string
}

/** A case as both sides are asked it. */
interface Call {
  readonly of: ListCase
  readonly body: string
  readonly token: string
  readonly program: number
}

interface Answered {
  readonly call: Call
  readonly milliseconds: number
}

/** Callers at one time: many where a page has to hold under load, one where the first page of a question has to come soon. */
const CALLERS: Record<ListCase['group'], number> = { filters: 20, conditions: 1, 'selective search': 20, 'broad search': 1 }
const PAGES = 10_000
const BIGGEST = 250
const GROUPS = ['filters', 'conditions', 'selective search', 'broad search'] as const
/** How often each case is asked a round. */
const TIMES: Record<ListCase['group'], number> = { filters: 6, conditions: 4, 'selective search': 10, 'broad search': 20 }

const p99 = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0

const mixed = <T>(items: readonly T[]): T[] => {
  const shuffled = [...items]
  // the same order every time
  let state = 7
  for (let index = shuffled.length - 1; index > 0; index--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = state % (index + 1)
    ;[shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T]
  }
  return shuffled
}

/** Lists of a million people over HTTP, against node:http and pg that verify the same token and run the same statements. */
export const listScenario: Scenario = {
  name: 'list',
  units: Object.fromEntries(
    GROUPS.flatMap((group) => [
      [`${group}: server CPU`, 'µs'],
      [`${group}: p99`, 'ms'],
    ]),
  ),
  prepare: async (options) => {
    const dataDir = options.get('data') ?? path.join(tmpdir(), 'instep-bench-list')
    const server = await startChild<Hello>('list-server.ts', [dataDir, options.get('users') ?? '1000000'])
    const { hello } = server
    const keys = `${hello.url}/identity/jwks`
    const floor = await startChild<{ url: string }>('list-floor.ts', [JSON.stringify(hello.pool), keys, hello.issuer])
    const calls = await prepareCalls(server, floor)
    const only = options.get('only')
    const wanted = calls.filter(({ of }) => !only || of.group === only)
    const worst = new Map<string, number>()
    const side = (child: Child<{ url: string }>, pathOf: (call: Call) => string, remember: boolean) => async (): Promise<Figures> => {
      const figures: Figures = {}
      for (const group of GROUPS) {
        const all = wanted.filter(({ of }) => of.group === group)
        if (all.length === 0) continue
        const before = await child.ask<number>('cpu')
        const answered = await callAll(
          child.hello.url,
          { pathOf, callers: CALLERS[group] },
          mixed(Array.from({ length: TIMES[group] }, () => all).flat()),
        )
        figures[`${group}: server CPU`] = ((await child.ask<number>('cpu')) - before) / answered.length
        figures[`${group}: p99`] = p99(answered.map(({ milliseconds }) => milliseconds))
        if (remember) for (const { call, milliseconds } of answered) note(worst, call, milliseconds)
      }
      return figures
    }
    return {
      subject: side(server, () => `/v1/connectors/${hello.tenantId}/users/search`, true),
      floor: side(floor, ({ program }) => `/${program}`, false),
      report: async () => [
        'slowest single answers of the subject:',
        ...[...worst]
          .sort((a, b) => b[1] - a[1])
          .slice(0, 12)
          .map(([name, ms]) => `${ms.toFixed(1).padStart(8)} ms  ${name}`),
      ],
      close: async () => {
        await floor.close()
        await server.close()
      },
    }
  },
}

const note = (worst: Map<string, number>, { of }: Call, milliseconds: number): void => {
  const name = `${of.group}, ${of.reach}${of.deep ? ', page 10,000' : ''} ${JSON.stringify(of.body)}`
  worst.set(name, Math.max(worst.get(name) ?? 0, milliseconds))
}

const callAll = async (
  url: string,
  { pathOf, callers }: { pathOf: (call: Call) => string; callers: number },
  calls: readonly Call[],
): Promise<Answered[]> => {
  const pool = new Pool(url, { connections: callers })
  const waiting = calls.values()
  const answered: Answered[] = []
  const caller = async () => {
    for (const call of waiting) {
      const begun = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: pathOf(call),
        headers: { authorization: `Bearer ${call.token}`, 'content-type': 'application/json' },
        body: call.body,
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${statusCode} ${text} for ${call.body}`)
      answered.push({ call, milliseconds: performance.now() - begun })
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  await pool.close()
  return answered
}

/** The tokens of deep pages, and the statements of each case for the floor. */
const prepareCalls = async (server: Child<Hello>, floor: Child<{ url: string }>): Promise<Call[]> => {
  const { url, tenantId, tokens } = server.hello
  const search = async (reach: Reach, body: object) => {
    const response = await fetch(`${url}/v1/connectors/${tenantId}/users/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[reach]}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return (await response.json()) as { data: unknown[]; continuationToken: string | null; count: { value: number } }
  }
  const deepToken = async ({ reach, body }: ListCase): Promise<string | undefined> => {
    const first = await search(reach, { ...body, pageSize: BIGGEST })
    if (first.count.value < PAGES * 10) return undefined
    let token = first.continuationToken
    for (let seen = BIGGEST; seen + BIGGEST < PAGES * 10; seen += BIGGEST) {
      const page: { continuationToken: string | null } = await search(reach, { ...body, pageSize: BIGGEST, continuationToken: token })
      token = page.continuationToken
      if (!token) return undefined
    }
    return token ?? undefined
  }
  const calls: Call[] = []
  const tokenOf = new Map<ListCase, string | undefined>()
  const walks = listCases(server.hello).filter(({ deep }) => deep)
  const walking = walks.values()
  const walker = async () => {
    for (const of of walking) tokenOf.set(of, await deepToken(of))
  }
  await Promise.all(Array.from({ length: 4 }, walker))
  const cases = [...listCases(server.hello).filter(({ deep }) => !deep), ...walks.filter((of) => tokenOf.get(of))]
  for (const of of cases) {
    const continuationToken = tokenOf.get(of)
    const asked = { ...of.body, ...(continuationToken && { continuationToken }) }
    await server.ask('record')
    await search(of.reach, asked)
    const statements = await server.ask<{ name?: string; text: string; values: unknown[] }[]>('recorded')
    calls.push({ of, body: JSON.stringify(asked), token: tokens[of.reach], program: await floor.ask<number>(statements) })
  }
  process.stderr.write(`${calls.length} lists, ${calls.filter(({ of }) => of.deep).length} of them at page ${PAGES}\n`)
  return calls
}
