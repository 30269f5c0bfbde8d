import type { Connector } from '@instep/contract/connectors.ts'
import { DIALECT_IDS, DIALECTS } from '@instep/contract/scim-dialects.ts'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import styles from './scim-target.module.css'

/** In what a target's profile differs from plain SCIM, and where the vendor says so. */
export function TargetProfile({ connector }: { connector: Connector }) {
  const { t } = useTranslation(['scim-target', 'connectors'])
  const { differences, id } = DIALECTS[DIALECT_IDS.find((one) => one === connector.properties['profile']) ?? 'generic']
  if (differences.length === 0) return null
  return (
    <Section title={t('profile.title', { profile: t(`connectors:properties.profile.choices.${id}`) })} hint={t('profile.hint')}>
      <ul className={styles.list}>
        {differences.map(({ code, source }) => (
          <li key={code}>
            {t(`differences.${code}`)}{' '}
            <a href={source} target="_blank" rel="noreferrer">
              {t('profile.source', { host: new URL(source).host })}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
