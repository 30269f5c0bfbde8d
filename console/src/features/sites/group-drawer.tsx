import { getSiteGroup, updateSiteGroup } from '@instep/contract/sites.ts'
import { FieldSection } from '@instep/ui/field-section.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import { GroupForm } from './group-form.tsx'
import styles from './sites.module.css'

interface GroupDrawerProps {
  groupId: string | null
  creating: boolean
  onClose: () => void
}

/** The drawer that adds a site group, or shows one with its sites and renames it. */
export function GroupDrawer({ groupId, creating, onClose }: GroupDrawerProps) {
  const { t } = useTranslation('sites')
  const mayEdit = useRefusal().ofCall(updateSiteGroup) === null
  const opened = creating || groupId !== null
  // the drawer keeps what it shows while it slides out
  const [last, setLast] = useState<string | null>(null)
  const shown = opened ? (creating ? null : groupId) : last
  if (opened && shown !== last) setLast(shown)
  return (
    <FramedDrawer opened={opened} title={t(shown === null ? 'group.create' : mayEdit ? 'group.edit' : 'group.view')} onClose={onClose}>
      {shown === null ? (
        <GroupForm group={null} refusal={null} onClose={onClose} />
      ) : (
        <KnownGroup key={shown} groupId={shown} onClose={onClose} />
      )}
    </FramedDrawer>
  )
}

function KnownGroup({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const { t } = useTranslation('common')
  const { tenantId } = useScope()
  const refusal = useRefusal()
  const query = useEndpoint(getSiteGroup, { params: { tenantId, id: groupId } })
  if (query.error && !query.data) return <ProblemNotice error={query.error} onRetry={query.refetch} />
  if (!query.data) return <Loader label={t('loading')} />
  return (
    <GroupForm group={query.data} refusal={refusal.ofPermit(query.data.can.edit)} onClose={onClose}>
      <GroupSites groupId={groupId} />
    </GroupForm>
  )
}

/** The active sites of the group. */
function GroupSites({ groupId }: { groupId: string }) {
  const { t } = useTranslation('sites')
  const { sites } = useScope()
  const own = (sites ?? []).filter((site) => site.groupId === groupId)
  return (
    <FieldSection title={t('group.sites')} hint={t('group.sitesHint')}>
      {own.length === 0 ? (
        <p className={`${styles.none} ${styles.wide}`}>{t('group.noSites')}</p>
      ) : (
        <ul className={styles.list}>
          {own.map(({ id, name }) => (
            <li key={id}>
              <AppLink href={paths.sites({ open: id })}>{name}</AppLink>
            </li>
          ))}
        </ul>
      )}
    </FieldSection>
  )
}
