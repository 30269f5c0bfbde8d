import type { GroupingTarget } from '../kit/group-target.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { TargetProperties, TargetSecrets } from '../kit/target.ts'
import type { WorkplaceContent } from '../kit/workplace-content.ts'
import { createScimClient } from '../scim/scim-client.ts'
import { readScimSettings } from '../scim/scim-settings.ts'
import { createScimTarget, type ScimTargetOptions } from '../scim/scim-target.ts'
import { WORKPLACE_GROUP } from './workplace-groups.ts'
import { createWorkplacePosts } from './workplace-posts.ts'

export interface WorkplaceTarget extends GroupingTarget {
  readonly content: WorkplaceContent
}

const below = (properties: TargetProperties, path: string): TargetProperties => {
  if (typeof properties.baseUrl !== 'string') throw new ConnectorError({ code: 'TARGET_SETTINGS_INVALID', params: { property: 'baseUrl' } })
  return { ...properties, baseUrl: `${properties.baseUrl.trim().replace(/\/+$/, '')}${path}` }
}

/** The settings of its SCIM interface alone, as `createScimTarget` takes them. Throws TARGET_SETTINGS_INVALID. */
export const scimOf = (properties: TargetProperties): TargetProperties => below(properties, '/scim/v2')

/**
 * A workplace platform: accounts and groups over SCIM 2.0, groups with privacy, post permission and admins, and what people write there.
 * Properties and secrets as in `workplaceDefinition`. Makes no request by itself. Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED.
 */
export const createWorkplaceTarget = (
  properties: TargetProperties,
  secrets: TargetSecrets,
  options: ScimTargetOptions = {},
): WorkplaceTarget => {
  const directory = createScimTarget(scimOf(properties), secrets, { ...options, groupExtension: WORKPLACE_GROUP })
  const content = createScimClient(readScimSettings(below(properties, '/api/v1'), secrets), options)
  return {
    ...directory,
    content: createWorkplacePosts(content),
    close: async () => {
      await Promise.all([directory.close(), content.close()])
    },
  }
}
