import { OVERRIDE_KEYS } from './override-keys.rules.ts'

/**
 * What an administrator set on top of the source: every key that can be, null where nothing is. A key with leaves (`name`, `addresses`,
 * `phoneNumber`, `email`, `manager`, `approver`) holds them, null where a leaf is not overridden.
 *
 * @param stored form field → value, as `user_overrides` holds them
 */
export const presentOverrides = (stored: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(OVERRIDE_KEYS).map(([key, fields]) => {
      if (typeof fields === 'string') return [key, stored[fields] ?? null]
      const leaves = Object.entries(fields)
      if (!leaves.some(([, field]) => field in stored)) return [key, null]
      return [key, Object.fromEntries(leaves.map(([leaf, field]) => [leaf, stored[field] ?? null]))]
    }),
  )
