/** SCIM 2.0 in: the address and tokens by which an identity system pushes people to a connector. The SCIM calls themselves are not of this contract. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { Id, Instant } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

/** Days before its end from which a token is said to expire soon. */
export const TOKEN_WARNING_DAYS = 14
/** The longest that the old token goes on beside the one that takes its place, in hours. */
export const LONGEST_OVERLAP_HOURS = 720

/** A token as it is listed; the token itself is told once, when it is made. */
export const ScimToken = z.object({
  id: Id,
  label: z.string(),
  state: z.enum(['active', 'expiring', 'expired']),
  createdAt: Instant,
  createdBy: z.string(),
  expiresAt: Instant.nullable(),
  /** To the minute. */
  lastUsedAt: Instant.nullable(),
})
export type ScimToken = z.infer<typeof ScimToken>

/** A token that was just made; `secret` is never told again. */
export const NewScimToken = z.object({ token: ScimToken, secret: z.string() })
export type NewScimToken = z.infer<typeof NewScimToken>

export const ScimPush = z.object({
  id: Id,
  at: Instant,
  eventType: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Label of the token. */
  by: z.string(),
  correlationId: z.string(),
})
export type ScimPush = z.infer<typeof ScimPush>

export const ScimStatus = z.object({
  /** What the pushing system is given as its address. */
  baseUrl: z.string(),
  users: z.number().int(),
  /** Users who are pushed as inactive: leavers. */
  inactive: z.number().int(),
  groups: z.number().int(),
  lastPushAt: Instant.nullable(),
  /** The last write that was refused, in the words that the pushing system was told. */
  lastError: z.object({ at: Instant, method: z.string(), status: z.number().int(), detail: z.string(), by: z.string() }).nullable(),
  /** The newest ten. */
  recent: z.array(ScimPush),
})
export type ScimStatus = z.infer<typeof ScimStatus>

const looking = { who: { roles: TENANT_ADMINS }, within: 'connector' } as const
const changing = { who: { roles: TENANT_ADMINS, bit: 'editSettings' }, within: 'connector' } as const

const label = upTo(100, z.string().trim())
  .min(1)
  .refine((text) => text.isWellFormed() && !text.includes('\0'))

export const getScimStatus = endpoint({
  ...looking,
  id: 'scimIn.status',
  method: 'GET',
  path: '/connectors/{connectorId}/scim',
  summary: 'The SCIM address of a connector, and what was pushed to it.',
  params: z.object({ connectorId: Id }),
  response: ScimStatus,
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const listScimTokens = endpoint({
  ...looking,
  id: 'scimIn.tokens',
  method: 'GET',
  path: '/connectors/{connectorId}/scim/tokens',
  summary: 'The tokens of a connector, newest first; never the tokens themselves.',
  params: z.object({ connectorId: Id }),
  response: z.object({ data: z.array(ScimToken) }),
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const createScimToken = endpoint({
  ...changing,
  id: 'scimIn.createToken',
  method: 'POST',
  path: '/connectors/{connectorId}/scim/tokens',
  summary: 'Makes a token; this answer is the only one that tells it.',
  params: z.object({ connectorId: Id }),
  body: z.object({ label, expiresAt: Instant.nullable().default(null) }),
  response: NewScimToken,
  status: 201,
  problems: ['CONNECTOR_KIND_WRONG', 'SCIM_TOKEN_EXPIRY_PAST', 'SCIM_TOKENS_TOO_MANY', 'MAINTENANCE'],
})

export const rotateScimToken = endpoint({
  ...changing,
  id: 'scimIn.rotateToken',
  method: 'POST',
  path: '/connectors/{connectorId}/scim/tokens/{tokenId}/rotate',
  summary: 'Makes a token in place of another, which goes on for some hours more so that nothing stops meanwhile.',
  params: z.object({ connectorId: Id, tokenId: Id }),
  body: z.object({
    overlapHours: z.number().int().min(0).max(LONGEST_OVERLAP_HOURS).default(24),
    expiresAt: Instant.nullable().default(null),
  }),
  response: NewScimToken,
  status: 201,
  problems: ['SCIM_TOKEN_EXPIRY_PAST', 'SCIM_TOKENS_TOO_MANY', 'MAINTENANCE'],
})

export const revokeScimToken = endpoint({
  ...changing,
  id: 'scimIn.revokeToken',
  method: 'DELETE',
  path: '/connectors/{connectorId}/scim/tokens/{tokenId}',
  summary: 'Ends a token at once.',
  params: z.object({ connectorId: Id, tokenId: Id }),
  problems: ['MAINTENANCE'],
})
