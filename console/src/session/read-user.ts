import type { SessionUser } from './flow.ts'
import type { IdentityConfig } from './runtime-config.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const follow = (claims: Readonly<Record<string, unknown>>, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, segment) => (at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[segment] : undefined),
    claims,
  )

/** The person an id_token is about. Its roles only decide what the console shows; the service looks at its own. */
export const readUser = (claims: Readonly<Record<string, unknown>>, identity: IdentityConfig): SessionUser => {
  const found = follow(claims, identity.rolePath ?? ['role'])
  const names = (Array.isArray(found) ? found : [found]).filter((name) => typeof name === 'string')
  const { roleMap } = identity
  const email = text(claims.email)
  return {
    sub: text(claims.sub),
    name: text(claims.name) || text(claims.preferred_username) || email,
    email,
    roles: roleMap === undefined ? names : names.flatMap((name) => (Object.hasOwn(roleMap, name) ? [roleMap[name] ?? name] : [])),
  }
}
