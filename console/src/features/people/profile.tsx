import { getUser } from '@instep/contract/users.ts'
import { Avatar } from '@instep/ui/avatar.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { FieldSection, ShownField } from '@instep/ui/field-section.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { IconCrown, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { AccountStatusMark } from '../../shared/account-status-mark.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import styles from './people.module.css'
import { type Person, type ProfileSection, useProfileSections } from './profile-sections.tsx'
import { ProfileTargets } from './profile-targets.tsx'

interface ProfileProps {
  userId: string
  connectorId: string
  onClose: () => void
}

/** One person's profile, read only: what the directory holds, where it comes from, and where the accounts stand. */
export function Profile({ userId, connectorId, onClose }: ProfileProps) {
  const { t } = useTranslation(['people', 'common'])
  const query = useEndpoint(getUser, { params: { connectorId, id: userId } })
  const person = query.data
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t('profile.title')}
      mark={person && <Avatar name={person.displayName} large />}
      aside={person && `${person.displayName}, ${person.enterprise.employeeNumber ?? person.externalId}`}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      {query.error ? (
        <ProblemNotice error={query.error} onRetry={query.refetch} />
      ) : person ? (
        <ProfileContent person={person} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Drawer>
  )
}

function ProfileContent({ person }: { person: Person }) {
  const { t } = useTranslation('people')
  const sections = useProfileSections(person)
  return (
    <>
      {(person.locked || person.vip) && (
        <p className={styles.remark}>
          {person.locked && <IconMark icon={IconLock} label={t('locked')} tone="idle" showLabel />}
          {person.vip && <IconMark icon={IconCrown} label={t('vip')} tone="vip" showLabel />}
        </p>
      )}
      <FieldSection title={t('profile.account.title')} hint={t('profile.account.hint')}>
        <ShownField label={t('profile.account.status')} value={<AccountStatusMark status={person.status} />} />
        <ShownField label={t('profile.account.source')} value={person.connectorName} />
        <ShownField label={t('profile.account.site')} value={person.siteName ?? t('profile.account.unassigned')} />
        <ProfileTargets targets={person.targets} />
      </FieldSection>
      {sections.map((section) => (
        <Section key={section.title} section={section} />
      ))}
    </>
  )
}

function Section({ section }: { section: ProfileSection }) {
  const { t } = useTranslation('people')
  return (
    <FieldSection title={section.title} hint={section.hint}>
      {section.fields.map(({ label, value, overridden }) => (
        <ShownField key={label} label={label} value={value} overridden={overridden ? t('profile.overridden') : null} />
      ))}
    </FieldSection>
  )
}
