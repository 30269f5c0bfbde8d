import { isTenantLevel } from '@instep/contract/roles.ts'
import type { ClaimField } from '@instep/contract/settings.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { CountTabs } from '@instep/ui/count-tabs.tsx'
import { FieldSection, ShownField } from '@instep/ui/field-section.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { IconCrown, IconLock, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { AccountStatusMark } from '../../shared/account-status-mark.tsx'
import { AppLink } from '../../shared/app-link.tsx'
import { FrameFooter } from '../../shared/drawer-frame.tsx'
import { useScope } from '../../shared/scope.tsx'
import { overrideOf } from './override.rules.ts'
import { useOverrideWords } from './override-note.tsx'
import styles from './person.module.css'
import { ProfileActions } from './profile-actions.tsx'
import { ProfileEmployment } from './profile-employment.tsx'
import { ProfileOrigin } from './profile-origin.tsx'
import { type ProfileField, type ProfileSection, useProfileSections } from './profile-sections.tsx'
import { ProfileTargets } from './profile-targets.tsx'
import { ProfileTimeline } from './profile-timeline.tsx'
import { usePermitText } from './use-permit-text.ts'

interface ProfileProps {
  person: UserDetails
  claims: readonly ClaimField[]
  onEdit: () => void
  onClose: () => void
  onSaved: (user: UserDetails) => void
}

/** One person's profile: what the directory holds, where it comes from, where the accounts stand, and what has happened. */
export function Profile({ person, claims, onEdit, onClose, onSaved }: ProfileProps) {
  const { t } = useTranslation(['profile', 'common'])
  const [tab, setTab] = useState<'profile' | 'timeline'>('profile')
  const panel = useId()
  const permitText = usePermitText(person)
  return (
    <>
      <Remarks person={person} />
      <div className={styles.tabs}>
        <CountTabs
          label={t('title.view')}
          tabs={[
            { key: 'profile', label: t('tabs.profile') },
            { key: 'timeline', label: t('tabs.timeline') },
          ]}
          current={tab}
          onChange={setTab}
          panelId={panel}
        />
      </div>
      <div id={panel} role="tabpanel" aria-label={t(`tabs.${tab}`)}>
        {tab === 'profile' ? (
          <ProfileContent person={person} claims={claims} />
        ) : (
          <Suspense fallback={<Loader label={t('common:loading')} />}>
            <ProfileTimeline person={person} />
          </Suspense>
        )}
      </div>
      <FrameFooter>
        <div className={styles.actions}>
          <ProfileActions person={person} onSaved={onSaved} />
          <SyncLink person={person} />
        </div>
        <Button size="form" onClick={onClose}>
          {t('common:close')}
        </Button>
        <Button size="form" variant="primary" disabledReason={permitText(person.can.edit)} onClick={onEdit}>
          {t('actions.edit')}
        </Button>
      </FrameFooter>
    </>
  )
}

/** Brings the person in step at every target, step by step; only tenant level sees targets. */
function SyncLink({ person }: Pick<ProfileProps, 'person'>) {
  const { t } = useTranslation('targets')
  const { me } = useScope()
  if (!isTenantLevel(me.roles)) return null
  return (
    <AppLink href={paths.syncUser(person.connectorId, person.id)} className={buttonClass('quiet', 'form')}>
      <Icon of={IconRefresh} size={15} /> {t('sync.open')}
    </AppLink>
  )
}

/** Below the header: that the person is locked, and why; that they are a VIP. */
function Remarks({ person: { locked, lock, vip } }: Pick<ProfileProps, 'person'>) {
  const { t } = useTranslation(['people', 'profile'])
  if (!locked && !vip) return null
  return (
    <div className={styles.remarks}>
      {locked && (
        <p>
          <IconMark icon={IconLock} label={t('locked')} tone="idle" showLabel />
          {lock && <span className={styles.remark}>{t('profile:account.lockedBy', { reason: lock.reason, by: lock.by })}</span>}
        </p>
      )}
      {vip && (
        <p>
          <IconMark icon={IconCrown} label={t('vip')} tone="vip" showLabel />
        </p>
      )}
    </div>
  )
}

function ProfileContent({ person, claims }: Pick<ProfileProps, 'person' | 'claims'>) {
  const { t } = useTranslation('profile')
  const sections = useProfileSections(person, claims)
  return (
    <>
      <FieldSection title={t('account.title')} hint={t('account.hint')}>
        <Field
          person={person}
          align="start"
          field={{
            name: 'active',
            label: t('account.status'),
            value: <AccountStatusMark status={person.status} />,
          }}
          below={<ProfileEmployment person={person} />}
        />
        <ShownField label={t('account.source')} value={person.connectorName} />
        <Field
          person={person}
          align="start"
          field={{ name: 'siteId', label: t('form.site'), value: person.siteName ?? t('form.unassigned') }}
        />
        <ProfileTargets userId={person.id} targets={person.targets} />
        <WhySo person={person} />
      </FieldSection>
      {sections.map((section) => (
        <Section key={section.title} section={section} person={person} />
      ))}
    </>
  )
}

/** Leads to what the source's newest run made of the person; only tenant level sees runs. */
function WhySo({ person }: Pick<ProfileProps, 'person'>) {
  const { t } = useTranslation('explain')
  const { me } = useScope()
  if (!isTenantLevel(me.roles) || person.ingestionType === 'manual') return null
  return (
    <p className={styles.why}>
      <AppLink href={paths.explain(person.connectorId, { userId: person.id })}>{t('linkPerson')}</AppLink>
    </p>
  )
}

function Section({ section, person }: { section: ProfileSection; person: UserDetails }) {
  return (
    <FieldSection title={section.title} hint={section.hint}>
      {section.fields.map((field, index) => (
        <Field key={field.name} field={field} person={person} align={index % 2 === 1 ? 'end' : 'start'} />
      ))}
    </FieldSection>
  )
}

interface FieldProps {
  field: ProfileField
  person: UserDetails
  align: 'start' | 'end'
  below?: ReactNode
}

function Field({ field, person, align, below }: FieldProps) {
  const { t } = useTranslation('profile')
  const says = useOverrideWords()
  const override = overrideOf(person, field.name)
  return (
    <ShownField
      label={field.label}
      value={field.value}
      below={below}
      overridden={
        override && (
          <>
            {t('override.overridden')} <span className={styles.overrideBy}>{says(override)}</span>
          </>
        )
      }
      action={<ProfileOrigin person={person} field={field} align={align} />}
    />
  )
}
