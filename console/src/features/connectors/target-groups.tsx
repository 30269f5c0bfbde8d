import type { Connector } from '@instep/contract/connectors.ts'
import { buttonClass } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'

/** Leads from a target to its groups. */
export function TargetGroups({ connector }: { connector: Connector }) {
  const { t } = useTranslation('groups')
  return (
    <Section
      title={t('title')}
      actions={
        <AppLink href={paths.targetGroups(connector.id)} className={buttonClass('secondary')}>
          {t('show')}
        </AppLink>
      }
    >
      <p>{t(connector.properties['groupPerSite'] === true ? 'perSiteOn' : 'perSiteOff')}</p>
    </Section>
  )
}
