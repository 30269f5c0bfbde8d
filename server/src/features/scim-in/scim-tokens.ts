import { randomBytes } from 'node:crypto'
import { type NewScimToken, type ScimToken, TOKEN_WARNING_DAYS } from '@instep/contract/scim-in.ts'
import { type EventActor, type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Place } from './resources.store.ts'
import { lockScimSource } from './scim-status.views.ts'
import { countTokens, deleteToken, endTokenBy, insertToken, lockToken, type TokenRow } from './scim-tokens.store.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MOST_TOKENS = 20

/** The keyed hash by which a token is found again (HMAC-SHA-256). */
export const hashToken = (secrets: Pick<Secrets, 'sign'>, token: string): string => secrets.sign(`scim token ${token}`)

/** A token as it is listed. */
export const presentToken = (row: TokenRow, now: Date): ScimToken => {
  const left = row.expiresAt ? row.expiresAt.getTime() - now.getTime() : Number.POSITIVE_INFINITY
  return {
    id: row.id,
    label: row.label,
    state: left <= 0 ? 'expired' : left <= TOKEN_WARNING_DAYS * DAY ? 'expiring' : 'active',
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy.name,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}

export interface TokenChange extends Place {
  readonly actor: EventActor
  readonly at: Date
  readonly correlationId: string
  readonly secrets: Pick<Secrets, 'sign'>
}

const make = async (tx: Tx, given: { label: string; expiresAt: string | null }, change: TokenChange) => {
  const { tenantId, connectorId, actor, at, secrets } = change
  const expiresAt = given.expiresAt === null ? null : new Date(given.expiresAt)
  if (expiresAt && expiresAt <= at) throw problem('SCIM_TOKEN_EXPIRY_PAST')
  if ((await countTokens(tx, { tenantId, connectorId })) >= MOST_TOKENS)
    throw problem('SCIM_TOKENS_TOO_MANY', { params: { limit: MOST_TOKENS } })
  const secret = `sci_${randomBytes(32).toString('base64url')}`
  const hash = hashToken(secrets, secret)
  const id = uuidv7(at.getTime())
  const row = await insertToken(tx, { tenantId, connectorId, id, label: given.label, hash, createdBy: actor, createdAt: at, expiresAt })
  return { token: presentToken(row, at), secret }
}

const record = (tx: Tx, { secrets: _, ...by }: TokenChange, event: Pick<NewEvent, 'type' | 'data'>) =>
  recordEvents(tx, [{ ...by, stream: 'directory', subjectId: by.connectorId, ...event }])

/**
 * Makes a token of a connector. Throws `NOT_FOUND`, `CONNECTOR_KIND_WRONG`, `SCIM_TOKEN_EXPIRY_PAST`, `SCIM_TOKENS_TOO_MANY`.
 */
export const createToken = async (
  tx: Tx,
  given: { label: string; expiresAt: string | null },
  change: TokenChange,
): Promise<NewScimToken> => {
  await lockScimSource(tx, change)
  const made = await make(tx, given, change)
  await record(tx, change, { type: 'scim.token.created', data: { label: given.label, expires: made.token.expiresAt } })
  return made
}

const locked = async (tx: Tx, { tenantId, connectorId }: TokenChange, id: string): Promise<TokenRow> => {
  const row = await lockToken(tx, { tenantId, connectorId, id })
  if (!row) throw problem('NOT_FOUND')
  return row
}

/** Makes a token of the same label in place of another, which ends after the overlap if not sooner. Throws `NOT_FOUND` and as `createToken` does. */
export const rotateToken = async (
  tx: Tx,
  given: { tokenId: string; overlapHours: number; expiresAt: string | null },
  change: TokenChange,
): Promise<NewScimToken> => {
  const { tenantId, connectorId, at } = change
  const old = await locked(tx, change, given.tokenId)
  await lockScimSource(tx, change)
  const made = await make(tx, { label: old.label, expiresAt: given.expiresAt }, change)
  const until = new Date(at.getTime() + given.overlapHours * HOUR)
  await endTokenBy(tx, { tenantId, connectorId, id: old.id }, until)
  await record(tx, change, {
    type: 'scim.token.rotated',
    data: { label: old.label, until: until.toISOString(), expires: made.token.expiresAt },
  })
  return made
}

/** Ends a token at once. Throws `NOT_FOUND`. */
export const revokeToken = async (tx: Tx, tokenId: string, change: TokenChange): Promise<void> => {
  const { tenantId, connectorId } = change
  const { label } = await locked(tx, change, tokenId)
  await deleteToken(tx, { tenantId, connectorId, id: tokenId })
  await record(tx, change, { type: 'scim.token.revoked', data: { label } })
}
