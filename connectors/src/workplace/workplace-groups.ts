import { GROUP_PRIVACIES, POST_PERMISSIONS } from '../kit/group-target.ts'
import type { GroupExtension } from '../scim/scim-groups.ts'

const oneOf = <T extends string>(value: unknown, values: readonly T[]): T | undefined => values.find((each) => each === value)

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => (typeof each?.value === 'string' && each.value !== '' ? [each.value] : []))

/** In order, so that lists of the same accounts are equal. */
const adminsOf = (ids: readonly string[]) => {
  const sorted = [...new Set(ids)].sort()
  return sorted.length > 0 ? sorted.map((value) => ({ value })) : undefined
}

/** What a workplace knows of a group beyond SCIM: who sees it, who may post, who looks after it. */
export const WORKPLACE_GROUP: GroupExtension = {
  schema: 'urn:instep:params:scim:schemas:workplace:2.0:Group',
  of: ({ description, privacy, postPermission, admins = [] }) => ({
    description: description || undefined,
    privacy: privacy ?? 'closed',
    postPermission: postPermission ?? 'members',
    admins: adminsOf(admins),
  }),
  managed: ({ description, privacy, postPermission, admins }) => ({
    description: typeof description === 'string' && description !== '' ? description : undefined,
    privacy: oneOf(privacy, GROUP_PRIVACIES),
    postPermission: oneOf(postPermission, POST_PERMISSIONS),
    admins: adminsOf(idsOf(admins)),
  }),
}
