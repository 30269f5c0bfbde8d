import type { ClaimField } from '@instep/contract/settings.ts'
import { useClaimFields } from '../../shared/use-claim-fields.ts'

const NONE: readonly ClaimField[] = []

/** Asks again for security attributes that could not be had; null unless that is so. */
export const useClaimsRetry = (): (() => void) | null => {
  const query = useClaimFields()
  return query.error && !query.data ? () => void query.refetch() : null
}

/** The tenant's security attributes that are no field of the form. Undefined while they load; none where they cannot be had. */
export const useOwnAttributes = (): readonly ClaimField[] | undefined => {
  const query = useClaimFields()
  return query.error && !query.data ? NONE : query.data?.claimFields.filter(({ isDefault }) => !isDefault)
}

/** The security attributes that a person's form shows: enabled, and no field of the form. Undefined while they load; none where they cannot be had. */
export const useClaims = (): readonly ClaimField[] | undefined => useOwnAttributes()?.filter(({ enabled }) => enabled)
