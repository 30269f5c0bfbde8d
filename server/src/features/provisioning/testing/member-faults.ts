import type { ScimStandIn } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import type { GroupWishes } from '../groups/testing/groups-world.ts'

/** People of a season, in their order. */
export type Crowd = readonly { readonly userId: string; readonly userName: string }[]

/** Members in one request: fewer than change in a group. */
export const MEMBER_CHUNK = 2
/** Who is in the group of each person, by how far they come after: one leaves, one stays, two come. */
const BEFORE = [0, 1]
const AFTER = [1, 2, 3]

const around = (crowd: Crowd, index: number, offsets: readonly number[]): Crowd =>
  offsets.flatMap((offset) => crowd[(index + offset) % crowd.length] ?? [])

const places = (crowd: Crowd, offsets: readonly number[]): Record<string, string[]> =>
  Object.fromEntries(crowd.map(({ userName }, index) => [userName, around(crowd, index, offsets).map(({ userId }) => userId)]))

/** A group for each person, of that person's name, with some others in it. */
export const gatherMembers = async (groups: GroupWishes, crowd: Crowd): Promise<void> => {
  await groups.want(Object.fromEntries(crowd.map(({ userName }) => [userName, userName])))
  await groups.members(places(crowd, BEFORE))
}

/** In each of the groups most people change. */
export const moveMembers = (groups: GroupWishes, crowd: Crowd): Promise<void> => groups.members(places(crowd, AFTER))

/** What is wrong with the group of a person, as the target itself has it. */
export const judgeGroup = ({ accounts, groups }: ScimStandIn, crowd: Crowd, userName: string): string[] => {
  const own = [...groups.values()].filter(({ attributes }) => attributes.displayName === userName)
  const [group] = own
  if (!group || own.length > 1) return [`${own.length} groups`]
  const held = group.members.map((id) => String(accounts.get(id)?.userName)).toSorted()
  const index = crowd.findIndex((person) => person.userName === userName)
  const due = around(crowd, index, AFTER)
    .map((person) => person.userName)
    .toSorted()
  return held.join() === due.join() ? [] : [`the members are ${held.join(', ')} instead of ${due.join(', ')}`]
}
