/**
 * How known SCIM targets differ, as data: what a profile sets where a connector's own settings leave it to the profile, each difference with the
 * vendor's public page that tells of it. Nothing was tried against the products themselves. What no public page tells stays as it is in `generic`.
 */

export const UPDATE_METHODS = ['PATCH', 'PUT'] as const
export const MATCH_KEYS = ['userName', 'externalId', 'email'] as const
export const USER_NAME_FIELDS = ['workEmail', 'externalId', 'userName'] as const
/** `create`: send the account and look for it when it is refused as taken; `look`: look for it first. */
export const BEFORE_CREATE = ['create', 'look'] as const
/** `whole`: a list is replaced; `entry`: its entries are changed one by one (`emails[type eq "work"].value`). */
export const LIST_UPDATES = ['whole', 'entry'] as const
/** How the names of PATCH operations are written: `replace` or `Replace`. */
export const OPERATION_NAMES = ['lower', 'capital'] as const
/** `update`: an account is switched off and on like any other change; `patch`: with PATCH, whatever the method of other changes is. */
export const SWITCHES = ['update', 'patch'] as const
/** `always`: a change says which version it is made for, where the target tells versions; `never`: it does not. */
export const IF_MATCH = ['always', 'never'] as const
/** `all` attributes are sent, or those only that the target is known to take. */
export const SENT_ATTRIBUTES = ['all', 'known'] as const

/** What a profile decides; each can be set on a connector instead. */
export interface DialectSettings {
  readonly updateMethod: (typeof UPDATE_METHODS)[number]
  readonly matchBy: (typeof MATCH_KEYS)[number]
  readonly userNameField: (typeof USER_NAME_FIELDS)[number]
  readonly beforeCreate: (typeof BEFORE_CREATE)[number]
  readonly listUpdates: (typeof LIST_UPDATES)[number]
  readonly operationNames: (typeof OPERATION_NAMES)[number]
  readonly switching: (typeof SWITCHES)[number]
  readonly ifMatch: (typeof IF_MATCH)[number]
  readonly sentAttributes: (typeof SENT_ATTRIBUTES)[number]
}

export const DIALECT_IDS = ['generic', 'slack', 'entra', 'zoom', 'github', 'atlassian', 'workvivo'] as const
export type DialectId = (typeof DIALECT_IDS)[number]

/** A difference in words (`connectors:dialects.<id>.<code>` in the console), and where it is told. */
export interface Difference {
  readonly code: string
  readonly source: string
}

export interface Dialect {
  readonly id: DialectId
  readonly settings: DialectSettings
  /** Attributes at the top of an account that the target is known to take; absent: all. */
  readonly attributes?: readonly string[]
  /** What a DELETE of an account does there. */
  readonly deletes: 'removes' | 'switchesOff'
  /** Host names under which the product answers. */
  readonly hosts: readonly string[]
  readonly differences: readonly Difference[]
}

const GENERIC: DialectSettings = {
  updateMethod: 'PATCH',
  matchBy: 'userName',
  userNameField: 'workEmail',
  beforeCreate: 'create',
  listUpdates: 'whole',
  operationNames: 'lower',
  switching: 'update',
  ifMatch: 'always',
  sentAttributes: 'all',
}

const SLACK = 'https://docs.slack.dev/reference/scim-api'
const ENTRA_PATCH = 'https://learn.microsoft.com/en-us/answers/questions/1684621/entra-id-patch-sending-add-instead-of-replace'
const ZOOM = 'https://developers.zoom.us/docs/api/scim2/'
const GITHUB = 'https://docs.github.com/en/rest/enterprise-admin/scim'
const ATLASSIAN = 'https://developer.atlassian.com/cloud/admin/user-provisioning/rest/'
const ATLASSIAN_USERS = 'https://developer.atlassian.com/cloud/admin/user-provisioning/rest/api-group-users/'
const WORKVIVO = 'https://support.workvivo.com/hc/en-gb/articles/27440099322141-Direct-SCIM-API'

export const DIALECTS: Readonly<Record<DialectId, Dialect>> = {
  generic: { id: 'generic', settings: GENERIC, deletes: 'removes', hosts: [], differences: [] },
  slack: {
    id: 'slack',
    settings: GENERIC,
    deletes: 'switchesOff',
    hosts: ['api.slack.com'],
    differences: [{ code: 'deleteSwitchesOff', source: SLACK }],
  },
  entra: {
    id: 'entra',
    settings: { ...GENERIC, listUpdates: 'entry', operationNames: 'capital' },
    deletes: 'removes',
    hosts: [],
    differences: [
      { code: 'entries', source: ENTRA_PATCH },
      { code: 'capitals', source: ENTRA_PATCH },
    ],
  },
  zoom: {
    id: 'zoom',
    settings: { ...GENERIC, updateMethod: 'PUT', switching: 'patch' },
    deletes: 'removes',
    hosts: ['api.zoom.us'],
    differences: [
      { code: 'put', source: ZOOM },
      { code: 'patchSwitches', source: ZOOM },
    ],
  },
  github: {
    id: 'github',
    settings: { ...GENERIC, sentAttributes: 'known' },
    attributes: ['externalId', 'userName', 'active', 'name', 'displayName', 'emails', 'roles'],
    deletes: 'removes',
    hosts: ['api.github.com'],
    differences: [
      { code: 'knownAttributes', source: GITHUB },
      { code: 'noFilterPaths', source: GITHUB },
    ],
  },
  atlassian: {
    id: 'atlassian',
    settings: GENERIC,
    deletes: 'switchesOff',
    hosts: ['api.atlassian.com'],
    differences: [
      { code: 'deleteSwitchesOff', source: ATLASSIAN },
      { code: 'filters', source: ATLASSIAN_USERS },
    ],
  },
  workvivo: {
    id: 'workvivo',
    settings: GENERIC,
    deletes: 'removes',
    hosts: [],
    differences: [
      { code: 'externalId', source: WORKVIVO },
      { code: 'noNulls', source: WORKVIVO },
    ],
  },
}
