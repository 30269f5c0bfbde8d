/** Groups at a target and who belongs to them: desired against applied (decisions.md section 1). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { TargetState } from './provisioning.ts'
import { TENANT_ADMINS } from './roles.ts'

export const MEMBER_STATES = ['pending', 'inStep', 'waiting', 'held', 'quarantined'] as const
/**
 * `waiting`: wanted, and the person has no account at the target yet. `held`: to be taken out, which waits for a person to decide. `quarantined`: the target
 * refuses this member.
 */
export const MemberState = z.enum(MEMBER_STATES)
export type MemberState = z.infer<typeof MemberState>

export const TargetGroup = z.object({
  id: Id,
  name: z.string(),
  /** False: it is to be deleted at the target. */
  wanted: z.boolean(),
  /** Of the group itself; `members` tells of those who belong to it. */
  state: TargetState,
  privacy: z.enum(['open', 'closed', 'secret']).nullable(),
  remoteId: z.string().nullable(),
  attempts: z.number().int(),
  nextTryAt: Instant.nullable(),
  cause: z.string().nullable(),
  lastError: z.string().nullable(),
  appliedAt: Instant.nullable(),
  /** How many members are in each state; `pending` counts those who are to be taken out as well. */
  members: z.record(MemberState, z.number().int()),
})
export type TargetGroup = z.infer<typeof TargetGroup>

export const TargetMember = z.object({
  userId: Id,
  connectorId: Id,
  displayName: z.string(),
  employeeId: z.string(),
  /** False: the person is to be taken out. */
  wanted: z.boolean(),
  state: MemberState,
  cause: z.string().nullable(),
  lastError: z.string().nullable(),
})
export type TargetMember = z.infer<typeof TargetMember>

const instance = { tenantId: Id, id: Id }

export const listTargetGroups = endpoint({
  id: 'targetGroups.list',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/groups',
  summary: 'Groups at a target by name, with the state of each and of its members.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object(instance),
  query: z.object(pageQuery),
  response: page(TargetGroup),
  problems: ['TOKEN_FOREIGN'],
})

export const getTargetGroup = endpoint({
  id: 'targetGroups.get',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/groups/{groupId}',
  summary: 'One group at a target.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ ...instance, groupId: Id }),
  response: TargetGroup,
})

export const listTargetMembers = endpoint({
  id: 'targetGroups.members',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/groups/{groupId}/members',
  summary: 'Members of a group at a target in one state.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ ...instance, groupId: Id }),
  query: z.object({ ...pageQuery, state: MemberState }),
  response: page(TargetMember),
  problems: ['TOKEN_FOREIGN'],
})

export const retryTargetGroups = endpoint({
  id: 'targetGroups.retry',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/groups/retry',
  summary: 'Tries groups and members that failed or were given up again now.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  within: 'tenant',
  params: z.object(instance),
  body: z.object({ groupId: Id.optional() }),
  response: z.object({ groups: z.number().int(), members: z.number().int() }),
  problems: ['MAINTENANCE'],
})
