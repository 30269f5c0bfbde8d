import type { Endpoint } from '@instep/contract/endpoint.ts'
import type { Permit } from '@instep/contract/permit.ts'
import { permits } from '@instep/contract/roles.ts'
import { useTranslation } from 'react-i18next'
import { useScope } from './scope.tsx'
import { useMaintenance } from './use-maintenance.ts'

/** Why the administrator may not do something now, in words for a button that cannot be pressed; null where they may. */
export const useRefusal = () => {
  const { t } = useTranslation(['problems', 'common'])
  const { me } = useScope()
  const maintenance = useMaintenance().reason
  return {
    /** By the role, the permission bits and the maintenance window. */
    ofCall: ({ who: { roles, bit, refusal } }: Pick<Endpoint, 'who'>): string | null => {
      if (!roles.some((role) => me.roles.includes(role))) return t('problems:FORBIDDEN')
      if (bit && !permits(bit, me.permissions)) return t(`problems:${refusal ?? 'PERMISSION_MISSING'}`)
      return maintenance
    },
    /** By what the server says of one thing. */
    ofPermit: ({ allowed, code }: Permit): string | null =>
      allowed ? maintenance : t(`problems:${code}`, { defaultValue: t('common:error500') }),
  }
}
