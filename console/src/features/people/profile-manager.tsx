import type { UserDetails } from '@instep/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'

/** The manager: by name where one is known, else what is said of them, and whether nobody was found for it. */
export function ProfileManager({ person }: { person: Pick<UserDetails, 'enterprise' | 'reportsTo' | 'managerOpen'> }) {
  const { t } = useTranslation('profile')
  const { enterprise, reportsTo, managerOpen } = person
  const value = enterprise.manager?.value
  if (reportsTo)
    return (
      <AppLink href={paths.people({ userId: reportsTo.id, connectorId: reportsTo.connectorId })}>
        <bdi>{reportsTo.displayName}</bdi>
      </AppLink>
    )
  if (!value) return '–'
  return <bdi>{managerOpen ? t('account.managerOpen', { value }) : value}</bdi>
}
