import { getClaimFields } from '@instep/contract/settings.ts'
import { useEndpoint } from '../api/use-endpoint.ts'
import { useScope } from './scope.tsx'

const KEPT_FOR = 60_000

/** The tenant's security attributes; asked for only where they are wanted. */
export const useClaimFields = ({ enabled = true }: { enabled?: boolean } = {}) => {
  const { tenantId } = useScope()
  return useEndpoint(getClaimFields, { params: { tenantId } }, { staleTime: KEPT_FOR, enabled })
}
