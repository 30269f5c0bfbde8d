import type { ConformanceCheck, ConformanceResult, FittingProfile, LeftOver, ScimDiscovery } from '@instep/contract/conformance.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { Call, TargetProperties, TargetSecrets } from '../kit/target.ts'
import { pathOf, valueAt } from './attribute-path.ts'
import { fitProfile } from './fit-profile.ts'
import type { PatchOperation } from './patch-operations.ts'
import { createScimClient, type ScimClient, type ScimOptions } from './scim-client.ts'
import { discover } from './scim-discovery.ts'
import { CORE_USER } from './scim-document.ts'
import { etagOf, filterFor, idOf, type Resource, readList } from './scim-resources.ts'
import { readScimSettings } from './scim-settings.ts'
import { patchBody } from './scim-writers.ts'

/** A target that can be tried. */
export interface Conformance {
  discover(call?: Call): Promise<ScimDiscovery>
  /**
   * Tries everything with a throw-away account of this user name; every account that comes to be is told before the next request. Throws only where
   * the target cannot be reached at all, or by the signal.
   */
  check(trial: Trial): Promise<FittingProfile>
  /** Removes the throw-away accounts, or switches them off; answers those that are left. Never throws for what the target does. */
  cleanUp(made: { readonly userName: string; readonly remoteIds: readonly string[] }, call?: Call): Promise<LeftOver[]>
  close(): Promise<void>
}

export interface Trial {
  readonly userName: string
  readonly signal: AbortSignal
  /** Called before anything else is done with an account that was made. */
  readonly made: (remoteId: string) => Promise<void>
  readonly report: (result: ConformanceResult) => Promise<void>
}

/** What a try found; a text says how, or what the target did instead. */
type Finding = boolean | 'unknown' | { readonly no: string } | { readonly yes: string }

const FAMILY = 'Check'
const PHONES = ['+12025550100', '+12025550101'] as const
const WORK_PHONE = 'phoneNumbers[type eq "work"].value'

const documentFor = (userName: string) => ({
  schemas: [CORE_USER],
  externalId: userName.split('@')[0] ?? userName,
  userName,
  active: true,
  name: { formatted: `Instep ${FAMILY}`, familyName: FAMILY, givenName: 'Instep' },
  displayName: 'Instep check, may be removed',
  emails: [{ value: userName, type: 'work', primary: true }],
  phoneNumbers: [{ value: PHONES[0], type: 'work', primary: true }],
})

/** Failures that say nothing about what the target supports. */
const UNPROVEN: ReadonlySet<string> = new Set([
  'TARGET_UNREACHABLE',
  'TARGET_UNAVAILABLE',
  'TARGET_UNAUTHORISED',
  'TARGET_THROTTLED',
  'TARGET_UNCERTAIN',
])
/** Failures after which nothing can be found out at all. */
const HOPELESS: ReadonlySet<string> = new Set(['TARGET_ABORTED', 'TARGET_UNREACHABLE', 'TARGET_UNAUTHORISED', 'TARGET_ADDRESS_REFUSED'])

const findingOf = async (act: () => Promise<Finding>): Promise<Omit<ConformanceResult, 'check'>> => {
  try {
    const found = await act()
    if (found === 'unknown') return { outcome: 'unknown', detail: null }
    if (typeof found === 'boolean') return { outcome: found ? 'yes' : 'no', detail: null }
    return 'no' in found ? { outcome: 'no', detail: found.no } : { outcome: 'yes', detail: found.yes }
  } catch (error) {
    if (!(error instanceof ConnectorError) || HOPELESS.has(error.code)) throw error
    return { outcome: UNPROVEN.has(error.code) ? 'unknown' : 'no', detail: error.detail.slice(0, 300) }
  }
}

const isOff = (resource: Resource): boolean => resource.active === false || String(resource.active).toLowerCase() === 'false'

/** Requests about one throw-away account. */
const createProbe = (client: ScimClient, { userName, signal }: Trial) => {
  const list = async (query: string, endpoint = '/Users') => readList(await client.request({ method: 'GET', endpoint, query, signal }))
  const read = async (remoteId: string): Promise<Resource> => (await client.request({ method: 'GET', remoteId, signal })).body ?? {}
  const found = async (filter: string, remoteId: string): Promise<Finding> => {
    const { resources } = await list(`filter=${encodeURIComponent(filter)}`)
    if (resources.length > 1) return { no: `${resources.length} accounts: the filter is ignored` }
    return resources.length === 1 && resources.every((resource) => idOf(resource) === remoteId)
  }
  const patch = async (remoteId: string, operations: readonly unknown[]) => {
    const body = { ...patchBody([]), Operations: operations }
    await client.request({ method: 'PATCH', remoteId, body, signal })
  }
  /** Sends one operation and looks whether it did what it should. */
  const tried = async (
    remoteId: string,
    operation: PatchOperation | object,
    expected: { path: string; value: unknown },
  ): Promise<Finding> => {
    await patch(remoteId, [operation])
    const now = valueAt({ ...(await read(remoteId)) }, pathOf(expected.path))
    return (now ?? undefined) === expected.value || { no: `${expected.path} is ${JSON.stringify(now ?? null).slice(0, 100)}` }
  }
  return { list, read, found, patch, tried, document: documentFor(userName) }
}

type Probe = ReturnType<typeof createProbe>
type Try = readonly [ConformanceCheck, () => Promise<Finding>]

/** A page must not be the first again; beyond the last account there is nothing to be told apart. */
const pages = async ({ list }: Probe): Promise<Finding> => {
  const first = await list('startIndex=1&count=1')
  if (first.resources.length > 1) return { no: 'more accounts than were asked for' }
  if (first.total < 2) return 'unknown'
  const ids = new Set(first.resources.map(idOf))
  const second = await list('startIndex=2&count=1')
  return !second.resources.some((resource) => ids.has(idOf(resource))) || { no: 'the first page is answered again' }
}

const findingTries = ({ found, document }: Probe, remoteId: string): Try[] => [
  ['filterUserName', () => found(filterFor('userName', document.userName), remoteId)],
  ['filterExternalId', () => found(filterFor('externalId', document.externalId), remoteId)],
  ['filterEmail', () => found(filterFor('email', document.userName), remoteId)],
  ['foldsCase', () => found(filterFor('userName', document.userName.toUpperCase()), remoteId)],
]

const patchTries = ({ tried }: Probe, remoteId: string): Try[] => {
  const title = (value: string | undefined) => ({ path: 'title', value })
  const replace = { op: 'replace', path: 'title' } as const
  const entry = { op: 'replace', path: WORK_PHONE, value: PHONES[1] } as const
  return [
    ['patchAdd', () => tried(remoteId, { op: 'add', path: 'title', value: 'Added' }, title('Added'))],
    ['patchReplace', () => tried(remoteId, { ...replace, value: 'Replaced' }, title('Replaced'))],
    ['patchRemove', () => tried(remoteId, { op: 'remove', path: 'title' }, title(undefined))],
    [
      'patchSubAttribute',
      () => tried(remoteId, { op: 'replace', path: 'name.givenName', value: 'Tried' }, { path: 'name.givenName', value: 'Tried' }),
    ],
    ['patchWithoutPath', () => tried(remoteId, { op: 'replace', value: { title: 'Pathless' } }, title('Pathless'))],
    ['patchEntry', () => tried(remoteId, entry, { path: WORK_PHONE, value: PHONES[1] })],
    ['patchCapitals', () => tried(remoteId, { ...replace, op: 'Replace', value: 'Capital' }, title('Capital'))],
  ]
}

const changeTries = (
  client: ScimClient,
  { read, patch, document }: Probe,
  { remoteId, signal }: { remoteId: string; signal: AbortSignal },
): Try[] => {
  const put = (changed: object) => client.request({ method: 'PUT', remoteId, body: { ...document, id: remoteId, ...changed }, signal })
  const switchTo = async (active: boolean): Promise<Finding> => {
    let method = 'PATCH'
    try {
      await patch(remoteId, [{ op: 'replace', path: 'active', value: active }])
    } catch (error) {
      if (!(error instanceof ConnectorError) || HOPELESS.has(error.code)) throw error
      method = 'PUT'
      await put({ active })
    }
    // a target that hides accounts which are switched off has switched it off
    const now = await read(remoteId).catch((error: unknown) => {
      if (error instanceof ConnectorError && error.code === 'TARGET_GONE') return { active: false }
      throw error
    })
    return isOff(now) !== active && { yes: method }
  }
  const versions = async (): Promise<Finding> => {
    const answer = await client.request({ method: 'GET', remoteId, signal })
    if (etagOf(answer) === null) return { no: 'no version is told' }
    try {
      await client.request({ method: 'PUT', remoteId, body: { ...document, id: remoteId }, ifMatch: 'W/"instep-outdated"', signal })
    } catch (error) {
      if (error instanceof ConnectorError && error.params['status'] === 412) return true
      throw error
    }
    return { no: 'a change for an outdated version is taken' }
  }
  return [
    [
      'put',
      async () => {
        await put({ displayName: 'Put' })
        return (await read(remoteId))['displayName'] === 'Put'
      },
    ],
    ['versions', versions],
    ['deactivate', () => switchTo(false)],
    ['foundWhenOff', async () => idOf(await read(remoteId)) === remoteId],
    ['reactivate', () => switchTo(true)],
  ]
}

const removed = async (
  client: ScimClient,
  { read }: Probe,
  { remoteId, signal }: { remoteId: string; signal: AbortSignal },
): Promise<Finding> => {
  await client.request({ method: 'DELETE', remoteId, signal })
  try {
    const left = await read(remoteId)
    return { no: isOff(left) ? 'it is switched off instead' : 'it is still there' }
  } catch (error) {
    if (error instanceof ConnectorError && error.code === 'TARGET_GONE') return true
    throw error
  }
}

const trial = async (client: ScimClient, given: Trial): Promise<ConformanceResult[]> => {
  const { signal, made } = given
  const results: ConformanceResult[] = []
  const probe = createProbe(client, given)
  const attempt = async ([check, act]: Try): Promise<void> => {
    const result = { check, ...(await findingOf(act)) }
    results.push(result)
    await given.report(result)
  }
  const make = async (): Promise<string | undefined> => {
    const { body } = await client.request({ method: 'POST', body: probe.document, signal })
    const id = body && idOf(body)
    if (id !== undefined) await made(id)
    return id
  }
  let remoteId: string | undefined
  await attempt(['list', async () => (await probe.list('startIndex=1&count=1')).resources.length <= 1])
  await attempt(['groups', async () => (await probe.list('startIndex=1&count=1', '/Groups')).resources.length <= 1])
  await attempt([
    'create',
    async () => {
      remoteId = await make()
      return remoteId !== undefined
    },
  ])
  const id = remoteId
  if (id === undefined) return results
  const account = { remoteId: id, signal }
  await attempt(['read', async () => (await probe.read(id))['userName'] === probe.document.userName])
  await attempt(['paging', () => pages(probe)])
  for (const one of findingTries(probe, id)) await attempt(one)
  await attempt([
    'duplicates',
    async () => {
      try {
        return { no: `a second account was taken: ${await make()}` }
      } catch (error) {
        if (error instanceof ConnectorError && error.code === 'TARGET_EXISTS') return true
        throw error
      }
    },
  ])
  for (const one of [...patchTries(probe, id), ...changeTries(client, probe, account)]) await attempt(one)
  await attempt(['delete', () => removed(client, probe, account)])
  return results
}

/** Removes one account, else switches it off; undefined when it is gone. */
const discard = async (client: ScimClient, remoteId: string, call: Call): Promise<LeftOver | undefined> => {
  const signal = call.signal
  const isGone = (error: unknown) => error instanceof ConnectorError && error.code === 'TARGET_GONE'
  const tryTo = (act: () => Promise<unknown>): Promise<unknown> => act().catch((error: unknown) => (isGone(error) ? undefined : error))
  await tryTo(() => client.request({ method: 'DELETE', remoteId, signal }))
  const left = await client.request({ method: 'GET', remoteId, signal }).catch((error: unknown) => (isGone(error) ? undefined : null))
  if (left === undefined) return undefined
  if (left?.body && isOff(left.body)) return { remoteId, active: false }
  const switched = await tryTo(() =>
    client.request({ method: 'PATCH', remoteId, body: patchBody([{ op: 'replace', path: 'active', value: false }]), signal }),
  )
  return { remoteId, active: switched instanceof Error }
}

/** Makes a SCIM target ready to be tried. Throws as `createScimTarget` does. */
export const openConformance = (properties: TargetProperties, secrets: TargetSecrets, options: ScimOptions = {}): Conformance => {
  const settings = readScimSettings(properties, secrets)
  const client = createScimClient(settings, options)
  /** Accounts of exactly this name: a target that ignores filters answers everybody's. */
  const named = async (userName: string, call: Call): Promise<string[]> => {
    const query = `filter=${encodeURIComponent(filterFor('userName', userName))}`
    const { resources } = readList(await client.request({ method: 'GET', query, signal: call.signal }))
    return resources.flatMap((resource) =>
      String(resource.userName).toLowerCase() === userName.toLowerCase() ? [idOf(resource) ?? ''] : [],
    )
  }
  return {
    discover: (call) => discover(client, call),
    check: async (given) => fitProfile(await trial(client, given), new URL(settings.origin).hostname),
    cleanUp: async ({ userName, remoteIds }, call = {}) => {
      const found = await named(userName, call).catch(() => [])
      const left: LeftOver[] = []
      for (const remoteId of new Set([...remoteIds, ...found])) {
        const still = await discard(client, remoteId, call)
        if (still) left.push(still)
      }
      return left
    },
    close: () => client.close(),
  }
}
