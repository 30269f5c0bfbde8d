import { useTranslation } from 'react-i18next'
import { useScope } from './scope.tsx'

/** The maintenance window of the tenant: whether it holds now, what the provider says of it, and why edits and adds are off (null while they are not). */
export const useMaintenance = (): { active: boolean; message: string; reason: string | null } => {
  const { t } = useTranslation('problems')
  const { active, message } = useScope().tenant.maintenance
  return { active, message, reason: active ? t('MAINTENANCE') : null }
}
