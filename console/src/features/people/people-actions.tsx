import { PEOPLE_ADMINS, permits } from '@instep/contract/roles.ts'
import { EDITING_USERS } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import { useOfferedConnectors } from '../../shared/use-offered-connectors.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './people.module.css'

/** Why the caller may not export people of a connector, or of all of them; null where they may. */
export const useExportOff = (connectorId: string | null): string | null => {
  const { t } = useTranslation('problems')
  const { me } = useScope()
  const connector = useOfferedConnectors()?.find(({ id }) => id === connectorId)
  return permits('exportUsers', me.permissions, ...(connector ? [connector.permissions] : [])) ? null : t('PERMISSION_MISSING')
}

// as the call itself says it, whose declaration would bring the reading of dates into the first load
const CREATING = { who: { roles: PEOPLE_ADMINS, ...EDITING_USERS } }

interface PeopleActionsProps {
  exportOff: string | null
  onExport: () => void
  onCreate: () => void
}

/** Export and Create user; where they are not to be had, they say why. */
export function PeopleActions({ exportOff, onExport, onCreate }: PeopleActionsProps) {
  const { t } = useTranslation('people')
  const createOff = useRefusal().ofCall(CREATING)
  return (
    <>
      <Button icon={IconDownload} disabledReason={exportOff} onClick={onExport}>
        <span className={styles.label}>{t('export.open')}</span>
      </Button>
      <Button variant="primary" icon={IconPlus} disabledReason={createOff} onClick={onCreate}>
        {t('create')}
      </Button>
    </>
  )
}
