import { isTenantLevel, TENANT_ADMINS } from '@instep/contract/roles.ts'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import type { Selected } from './use-selection.ts'

// as the call itself says it, whose declaration would make the first load larger
const SYNCING = { who: { roles: TENANT_ADMINS, bit: 'editUsers' } } as const
const MOST = 200

/** Why those selected cannot be synced by hand; null where they can, undefined for whoever sees no targets. */
export const useSyncOff = ({ selection }: Selected): string | null | undefined => {
  const { t } = useTranslation('people')
  const { me } = useScope()
  const refused = useRefusal().ofCall(SYNCING)
  if (!isTenantLevel(me.roles)) return undefined
  const tooMany = !('ids' in selection) || selection.ids.size > MOST
  return refused ?? (tooMany ? t('sync.tooMany', { most: MOST }) : null)
}
