import type { Permit } from '@instep/contract/permit.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { useMaintenance } from '../../shared/use-maintenance.ts'

/** Why something may not be done to the person now; null where it may. */
export const usePermitText = (person: Pick<UserDetails, 'lock'>): ((permit: Permit) => string | null) => {
  const { t } = useTranslation(['problems', 'common'])
  const maintenance = useMaintenance()
  return ({ allowed, code }) => {
    if (!allowed) return t(`problems:${code}`, { reason: person.lock?.reason ?? '', defaultValue: t('common:error500') })
    return maintenance.reason
  }
}
