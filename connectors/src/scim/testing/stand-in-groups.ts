import { failed, listed, type Resource, type StandInAnswer } from './stand-in-answers.ts'

/** A group as the stand-in holds it; `members` are remote ids of accounts. */
export interface HeldGroup {
  readonly id: string
  attributes: Resource
  members: string[]
}

interface Operation {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map((member: Resource) => String(member.value)) : [])

/** Whom a removal names: `members[value eq "…"]`, or a list of values. */
const namedBy = ({ path, value }: Operation): string[] => {
  const quoted = /^members\[value eq (".*")\]$/.exec(path)?.[1]
  return quoted === undefined ? idsOf(value) : [String(JSON.parse(quoted))]
}

/** Groups with members that must be accounts. Unless `unique`, a name may be taken twice and a member added twice, as targets do that look at nothing. */
export const createGroups = ({ unique, isAccount }: { unique: boolean; isAccount: (id: string) => boolean }) => {
  const groups = new Map<string, HeldGroup>()
  let last = 0
  const taken = (name: unknown, except?: string) =>
    unique && [...groups.values()].some(({ id, attributes }) => id !== except && lower(attributes.displayName) === lower(name))
  const shown = ({ id, attributes, members }: HeldGroup, query: URLSearchParams): Resource => {
    const group = { ...attributes, id, meta: { resourceType: 'Group' } }
    return query.get('excludedAttributes') === 'members' ? group : { ...group, members: members.map((value) => ({ value })) }
  }

  const create = (body: Resource, query: URLSearchParams): StandInAnswer => {
    if (taken(body.displayName)) return failed(409, `${String(body.displayName)} is taken`, 'uniqueness')
    last += 1
    const { members, ...attributes } = body
    const group: HeldGroup = { id: `group/${last}`, attributes, members: idsOf(members) }
    groups.set(group.id, group)
    return { status: 201, body: shown(group, query) }
  }
  const addTo = (group: HeldGroup, ids: readonly string[]) => {
    group.members.push(...ids.filter((id) => !unique || !group.members.includes(id)))
  }
  const carryOut = (group: HeldGroup, operation: Operation): void => {
    const { op, path, value } = operation
    const others = ({ [path]: _, ...rest }: Resource): Resource => rest
    if (path.startsWith('members') && op === 'remove') {
      const named = namedBy(operation)
      group.members = group.members.filter((id) => !named.includes(id))
    } else if (path === 'members') addTo(group, idsOf(value))
    else group.attributes = op === 'remove' ? others(group.attributes) : { ...group.attributes, [path]: value }
  }
  const patch = (group: HeldGroup, operations: readonly Operation[], query: URLSearchParams): StandInAnswer => {
    const stranger = operations
      .filter(({ op, path }) => op === 'add' && path === 'members')
      .flatMap(({ value }) => idsOf(value))
      .find((id) => !isAccount(id))
    if (stranger !== undefined) return failed(400, `${stranger} is no account`, 'invalidValue')
    const name = operations.find(({ path }) => path === 'displayName')?.value
    if (name !== undefined && taken(name, group.id)) return failed(409, `${String(name)} is taken`, 'uniqueness')
    for (const operation of operations) carryOut(group, operation)
    return { status: 200, body: shown(group, query) }
  }
  const change = (asked: { method: string; id: string; body: Resource; query: URLSearchParams }): StandInAnswer => {
    const { method, id, body, query } = asked
    const group = groups.get(id)
    if (!group) return failed(404, 'no such group')
    if (method === 'GET') return { status: 200, body: shown(group, query) }
    if (method === 'PATCH') return patch(group, body.Operations as Operation[], query)
    if (method !== 'DELETE') return failed(501, `no ${method}`)
    groups.delete(id)
    return { status: 204 }
  }

  return {
    groups,
    create,
    change,
    list: (query: URLSearchParams) =>
      listed(
        [...groups.values()].map((group) => shown(group, query)),
        query,
      ),
    /** An account that goes is a member no longer. */
    forget: (account: string) => {
      for (const group of groups.values()) group.members = group.members.filter((id) => id !== account)
    },
  }
}

const lower = (name: unknown): string => String(name).toLowerCase()
