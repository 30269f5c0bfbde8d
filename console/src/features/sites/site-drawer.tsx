import type { ResponseOf } from '@instep/contract/endpoint.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { getSite, updateSite } from '@instep/contract/sites.ts'
import { Button } from '@instep/ui/button.tsx'
import { FieldSection, ShownField } from '@instep/ui/field-section.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconArrowsTransferDown, IconCircleCheck, IconCircleOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import { ClosingDialog } from './closing-dialog.tsx'
import { SiteForm } from './site-form.tsx'
import styles from './sites.module.css'
import { useSitesChanged } from './use-sites-changed.ts'

interface SiteDrawerProps {
  siteId: string | null
  creating: boolean
  onClose: () => void
  /** A site was closed; with the run that moves its people, where they are many. */
  onClosed: (runId: string | null) => void
}

/** The drawer that adds a site, or shows one with its people and changes it. */
export function SiteDrawer({ siteId, creating, onClose, onClosed }: SiteDrawerProps) {
  const { t } = useTranslation(['sites', 'problems'])
  const { me } = useScope()
  const mayEdit = useRefusal().ofCall(updateSite) === null
  const opened = creating || siteId !== null
  // the drawer keeps what it shows while it slides out
  const [last, setLast] = useState<string | null>(null)
  const shown = opened ? (creating ? null : siteId) : last
  if (opened && shown !== last) setLast(shown)
  return (
    <FramedDrawer opened={opened} title={t(shown === null ? 'site.create' : mayEdit ? 'site.edit' : 'site.view')} onClose={onClose}>
      {shown === null ? (
        <SiteForm
          site={null}
          refusal={null}
          // a restricted site reaches nobody through its group, not even who adds it
          restrictRefusal={isTenantLevel(me.roles) ? null : t('problems:FORBIDDEN')}
          onClose={onClose}
        />
      ) : (
        <KnownSite key={shown} siteId={shown} onClose={onClose} onClosed={onClosed} />
      )}
    </FramedDrawer>
  )
}

function KnownSite({ siteId, onClose, onClosed }: Pick<SiteDrawerProps, 'onClose' | 'onClosed'> & { siteId: string }) {
  const { t } = useTranslation('common')
  const { tenantId } = useScope()
  const refusal = useRefusal()
  const query = useEndpoint(getSite, { params: { tenantId, id: siteId } })
  const site = query.data
  if (query.error && !site) return <ProblemNotice error={query.error} onRetry={query.refetch} />
  if (!site) return <Loader label={t('loading')} />
  return (
    <SiteForm
      site={site}
      refusal={refusal.ofPermit(site.can.edit)}
      restrictRefusal={refusal.ofPermit(site.can.restrict)}
      action={<OpenOrClose site={site} onDone={onClosed} />}
      onClose={onClose}
    >
      <SitePeople site={site} />
    </SiteForm>
  )
}

type KnownSiteProps = { site: ResponseOf<typeof getSite> }

/** How many people and administrators the site has. */
function SitePeople({ site }: KnownSiteProps) {
  const { t } = useTranslation('sites')
  const { number } = useFormat()
  const figure = (count: number | null) => count !== null && <bdi className="figures">{number(count)}</bdi>
  return (
    <FieldSection title={t('site.people')}>
      <ShownField
        label={t('columns.status')}
        value={<RunMark state={site.active ? 'succeeded' : 'disabled'} word={t(site.active ? 'active' : 'inactive')} />}
      />
      <ShownField
        label={t('columns.members')}
        value={site.members !== null && <AppLink href={paths.people({ siteId: site.id })}>{number(site.members)}</AppLink>}
      />
      <ShownField label={t('columns.claimed')} value={figure(site.claimed)} />
      <ShownField label={t('columns.unclaimed')} value={figure(site.unclaimed)} />
      <ShownField label={t('columns.adminCount')} value={figure(site.adminCount)} />
    </FieldSection>
  )
}

/** Closes the site after a question, or opens it again at once. People who are still at a closed one can be moved. */
function OpenOrClose({ site, onDone }: KnownSiteProps & { onDone: (runId: string | null) => void }) {
  const { t } = useTranslation('sites')
  const { tenantId } = useScope()
  const refusal = useRefusal()
  const problemText = useProblemText()
  const changed = useSitesChanged()
  const [closing, setClosing] = useState(false)
  const open = useAction(updateSite, {
    onSuccess: ({ name }) => {
      changed()
      showToast({ kind: 'done', text: t('site.opened', { name }) })
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  return (
    <>
      <Button
        size="form"
        variant="quiet"
        className={styles.first}
        icon={site.active ? IconCircleOff : IconCircleCheck}
        busy={open.isPending}
        disabledReason={refusal.ofPermit(site.can.edit)}
        onClick={() => (site.active ? setClosing(true) : open.mutate({ params: { tenantId, id: site.id }, body: { active: true } }))}
      >
        {t(site.active ? 'site.deactivate' : 'site.activate')}
      </Button>
      {!site.active && site.members !== 0 && (
        <Button
          size="form"
          variant="quiet"
          icon={IconArrowsTransferDown}
          disabledReason={refusal.ofPermit(site.can.edit)}
          onClick={() => setClosing(true)}
        >
          {t('site.movePeople')}
        </Button>
      )}
      <ClosingDialog site={site} opened={closing} onClose={() => setClosing(false)} onDone={onDone} />
    </>
  )
}
