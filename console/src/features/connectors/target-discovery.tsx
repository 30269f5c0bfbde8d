import type { ScimDiscovery } from '@instep/contract/conformance.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './scim-target.module.css'

const FEATURES = ['patch', 'filter', 'bulk', 'etag', 'groups'] as const

/** What a target says of itself, which need not be what it does. */
export function TargetDiscovery({ discovery }: { discovery: ScimDiscovery }) {
  const { t } = useTranslation(['scim-target', 'common'])
  const { number } = useFormat()
  const told = (value: boolean | null) => (value === null ? t('discovery.silent') : t(value ? 'common:yes' : 'common:no'))
  return (
    <details className={styles.details}>
      <summary>{t('discovery.title')}</summary>
      <dl className={styles.facts}>
        {FEATURES.map((feature) => (
          <div key={feature}>
            <dt>{t(`discovery.${feature}`)}</dt>
            <dd>{told(discovery[feature])}</dd>
          </div>
        ))}
        <div>
          <dt>{t('discovery.maxResults')}</dt>
          <dd>{discovery.maxResults === null ? t('discovery.silent') : <bdi>{number(discovery.maxResults)}</bdi>}</dd>
        </div>
        <div>
          <dt>{t('discovery.attributes')}</dt>
          <dd>
            <bdi>{number(discovery.attributes.length)}</bdi>
          </dd>
        </div>
      </dl>
      <ul className={styles.paths}>
        {discovery.attributes.map(({ path, required }) => (
          <li key={path}>
            <bdi className="mono">{path}</bdi>
            {required && ` (${t('discovery.required')})`}
          </li>
        ))}
      </ul>
    </details>
  )
}
