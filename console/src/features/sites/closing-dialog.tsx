import { isTenantLevel } from '@instep/contract/roles.ts'
import { getClosingImpact, type Site, updateSite } from '@instep/contract/sites.ts'
import { Dialog } from '@instep/ui/dialog.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconAlertTriangle, IconLock, IconPlugConnected, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { type ClosingImpact, DESTINATIONS, type Destination, leftWithoutSite, moveOf } from './closing.rules.ts'
import { OtherSiteField } from './other-site-field.tsx'
import styles from './sites.module.css'
import { useSitesChanged } from './use-sites-changed.ts'

interface ClosingDialogProps {
  site: Site
  opened: boolean
  onClose: () => void
  /** The site is closed, or its people are on their way. With the run that moves them, where they are many. */
  onDone: (runId: string | null) => void
}

/** Shows what closing a site means, asks where its people go, and closes it. Of a site that is closed already, it moves those who are still there. */
export function ClosingDialog({ site, opened, onClose, onDone }: ClosingDialogProps) {
  const { t } = useTranslation(['sites', 'common'])
  const { me, tenantId } = useScope()
  // below tenant level nobody is put where the administrator sees nobody
  const destinations = DESTINATIONS.filter((value) => (value === 'unassigned' ? isTenantLevel(me.roles) : value === 'site' || site.active))
  const problemText = useProblemText()
  const changed = useSitesChanged()
  const [destination, setDestination] = useState<Destination>('site')
  const [to, setTo] = useState<string | null>(null)
  const [asked, setAsked] = useState(false)
  const params = { tenantId, id: site.id }
  const impact = useEndpoint(getClosingImpact, { params }, { enabled: opened, staleTime: 0 })
  const close = useAction(updateSite, {
    onSuccess: ({ runId }) => {
      changed()
      if (site.active) showToast({ kind: 'done', text: t('site.closed', { name: site.name }) })
      else if (runId === null) showToast({ kind: 'done', text: t('closing.moved') })
      onClose()
      onDone(runId)
    },
    // somebody came in meanwhile: now there is something to ask
    onError: () => void impact.refetch(),
  })
  const refused = close.error instanceof ApiProblem ? close.error.fields['moveTo']?.[0] : undefined
  const move = impact.data && moveOf(impact.data, { destination, siteId: to })
  const submit = () => {
    setAsked(true)
    if (move === undefined) return
    close.mutate({ params, body: { active: false, ...(move === null ? {} : { moveTo: move }) } })
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(site.active ? 'closing.title' : 'closing.moveTitle', { name: site.name })}
      footer={
        <FormButtons
          danger={site.active}
          label={t(site.active ? 'site.deactivate' : 'site.movePeople')}
          busy={close.isPending}
          disabledReason={impact.data ? null : t('closing.wait')}
          onCancel={onClose}
          onSubmit={submit}
        />
      }
    >
      <div className={styles.closing}>
        {impact.error ? (
          <ProblemNotice error={impact.error} onRetry={impact.refetch} />
        ) : impact.data ? (
          <>
            <Meaning impact={impact.data} closes={site.active} />
            {impact.data.members > 0 && (
              <div className={styles.where}>
                <span className={styles.label}>{t('closing.where')}</span>
                <Segmented
                  label={t('closing.where')}
                  value={destination}
                  segments={destinations.map((value) => ({ value, label: t(`closing.to.${value}`) }))}
                  onChange={setDestination}
                />
                <p>{t(`closing.means.${destination}`)}</p>
                {destination === 'site' && (
                  <OtherSiteField
                    leaving={site.id}
                    siteId={to}
                    onChange={setTo}
                    error={asked && to === null ? t('common:selectValue', { value: t('values.site') }) : refused}
                  />
                )}
              </div>
            )}
          </>
        ) : (
          <Loader label={t('common:loading')} />
        )}
        {close.error && !refused && (
          <p role="alert" className={styles.status}>
            {problemText(close.error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** In words what closing the site means for people, connectors and administrators; of one that is closed, who is still there. */
function Meaning({ impact, closes }: { impact: ClosingImpact; closes: boolean }) {
  const { t } = useTranslation('sites')
  const { number, locale } = useFormat()
  const names = new Intl.ListFormat(locale)
  const stranded = closes ? leftWithoutSite(impact) : []
  const { members, active, claimed, locked, connectors } = impact
  return (
    <>
      {closes && <p>{t('closing.effect')}</p>}
      <ul className={styles.facts}>
        <li className={styles.fact}>
          <Icon of={IconUsers} />
          {members === 0
            ? t('closing.nobody')
            : t('closing.people', { count: members, amount: number(members), active: number(active), claimed: number(claimed) })}
        </li>
        {connectors.length > 0 && (
          <li className={styles.fact}>
            <Icon of={IconPlugConnected} />
            {t('closing.connectors', {
              list: names.format(connectors.map(({ name, people }) => t('closing.connector', { name, amount: number(people) }))),
            })}
          </li>
        )}
        {locked > 0 && (
          <li className={styles.fact}>
            <Icon of={IconLock} />
            {t('closing.locked', { count: locked, amount: number(locked) })}
          </li>
        )}
        {stranded.length > 0 && (
          <li className={`${styles.fact} ${styles.warn}`}>
            <Icon of={IconAlertTriangle} />
            {t('closing.administrators', { count: stranded.length, names: names.format(stranded) })}
          </li>
        )}
      </ul>
    </>
  )
}
