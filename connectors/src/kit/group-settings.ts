import type { PropertySchema } from './definition.ts'
import { ConnectorError } from './problem.ts'
import { isUnset } from './read-settings.ts'
import type { TargetProperties } from './target.ts'

export const MEMBER_REMOVALS = ['filter', 'values'] as const

/** Settings of a target that takes groups; `groupPerSite` is the server's to act on. */
export const GROUP_PROPERTIES: Readonly<Record<string, PropertySchema>> = {
  groupPerSite: {
    type: 'boolean',
    title: 'A group for each site',
    description: 'The people of each open site become a group of its name. Switched off, the groups stay at the target as they are.',
    default: false,
  },
  memberChunk: {
    type: 'integer',
    title: 'Members in one request',
    minimum: 1,
    maximum: 1000,
    default: 100,
  },
  memberRemoval: {
    type: 'string',
    title: 'Take members out by',
    description: 'filter: members[value eq "…"], as RFC 7644 has it. values: a list of members, for targets that do not read a filter.',
    enum: MEMBER_REMOVALS,
    default: 'filter',
  },
}

export interface GroupSettings {
  /** Members in one request at most. */
  readonly chunk: number
  readonly removal: (typeof MEMBER_REMOVALS)[number]
}

const invalid = (property: string) => new ConnectorError({ code: 'TARGET_SETTINGS_INVALID', params: { property } })

/** How a target's groups are filled. Throws TARGET_SETTINGS_INVALID with `params.property`. */
export const readGroupSettings = ({ memberChunk, memberRemoval }: TargetProperties): GroupSettings => {
  const chunk = isUnset(memberChunk) ? 100 : memberChunk
  if (typeof chunk !== 'number' || !Number.isInteger(chunk) || chunk < 1 || chunk > 1000) throw invalid('memberChunk')
  const removal = isUnset(memberRemoval) ? MEMBER_REMOVALS[0] : MEMBER_REMOVALS.find((each) => each === memberRemoval)
  if (removal === undefined) throw invalid('memberRemoval')
  return { chunk, removal }
}
