import { isTenantLevel } from '@instep/contract/roles.ts'
import { getUser } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { type LogName, useLogSource } from './log-source.ts'
import { LogView } from './log-view.tsx'

/** What happened: in the directory, through administrators, to messages; or all that happened to one person, where the address names one. */
export function LogsPage() {
  const { t } = useTranslation('logs')
  const { me, tenantId } = useScope()
  const [search, change] = usePageSearch()
  const { userId, connectorId } = search
  const ofPerson = userId !== undefined && connectorId !== undefined
  const offered: readonly LogName[] = ofPerson
    ? ['person', 'messages']
    : isTenantLevel(me.roles)
      ? ['directory', 'admins', 'messages']
      : ['messages']
  const name = offered.find((log) => log === search['log']) ?? offered[0] ?? 'messages'
  const source = useLogSource({ tenantId, name, userId, connectorId })
  const person = useEndpoint(getUser, { params: { connectorId: connectorId ?? '', id: userId ?? '' } }, { enabled: ofPerson })
  return (
    <Page>
      <PageHeader title={t('title')} aside={ofPerson && <bdi>{person.data?.displayName}</bdi>} />
      <PageToolbar>
        <Segmented
          label={t('which')}
          value={name}
          segments={offered.map((value) => ({ value, label: t(`logs.${value}`) }))}
          onChange={(log) => change({ log: log === offered[0] ? undefined : log, details: undefined })}
        />
        {ofPerson && (
          <Button onClick={() => change({ userId: undefined, connectorId: undefined, log: undefined, details: undefined })}>
            {t('everybody')}
          </Button>
        )}
      </PageToolbar>
      <LogView key={name} source={source} />
    </Page>
  )
}
