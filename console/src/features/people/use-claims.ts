import { type ClaimField, getClaimFields } from '@instep/contract/settings.ts'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'

const KEPT_FOR = 60_000
const NONE: readonly ClaimField[] = []

/** The tenant's security attributes that are no field of the form. Undefined while they load; none where they cannot be had. */
export const useOwnAttributes = (): readonly ClaimField[] | undefined => {
  const { tenantId } = useScope()
  const query = useEndpoint(getClaimFields, { params: { tenantId } }, { staleTime: KEPT_FOR })
  return query.error ? NONE : query.data?.claimFields.filter(({ isDefault }) => !isDefault)
}

/** The security attributes that a person's form shows: enabled, and no field of the form. Undefined while they load; none where they cannot be had. */
export const useClaims = (): readonly ClaimField[] | undefined => useOwnAttributes()?.filter(({ enabled }) => enabled)
