import { type Connector, getConnectorStats } from '@instep/contract/connectors.ts'
import { FieldSection, ShownField } from '@instep/ui/field-section.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './connectors.module.css'

/** What a connector is and how it is set up; secrets only as being there. */
export function ConnectorAbout({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { date } = useFormat()
  return (
    <FieldSection level={2} title={t('about')} hint={t(`definitions.${connector.definitionId}.about`)}>
      <ShownField label={t('columns.kind')} value={t(`kinds.${connector.kind}`)} />
      <ShownField label={t('columns.definition')} value={t(`definitions.${connector.definitionId}.name`)} />
      {connector.kind === 'source' && <SourcePeople connector={connector} />}
      {Object.entries(connector.properties)
        .filter(([name]) => name !== 'ingestion-type')
        .map(([name, value]) => (
          <ShownField
            key={name}
            label={t(`properties.${name}.label`, { defaultValue: name })}
            value={<PropertyShown name={name} value={value} />}
          />
        ))}
      {connector.secretsSet.map((name) => (
        <ShownField key={name} label={t(`properties.${name}.label`, { defaultValue: name })} value={t('secretKept')} />
      ))}
      <ShownField label={t('columns.created')} value={<bdi>{date(connector.createdAt.slice(0, 10))}</bdi>} />
    </FieldSection>
  )
}

function PropertyShown({ name, value }: { name: string; value: unknown }) {
  const { t } = useTranslation(['connectors', 'common'])
  if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no')
  const text = String(value ?? '')
  return <bdi className={styles.value}>{t(`properties.${name}.choices.${text.replaceAll(/[.:]/g, '')}`, { defaultValue: text })}</bdi>
}

function SourcePeople({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { number, instant } = useFormat()
  const stats = useEndpoint(getConnectorStats, { params: { id: connector.id } })
  const words =
    stats.data && t(stats.data.exact ? 'asAt' : 'aboutAsAt', { amount: number(stats.data.totalUsers), instant: instant(stats.data.asAt) })
  return <ShownField label={t('people')} value={stats.data ? <bdi>{words}</bdi> : null} />
}
