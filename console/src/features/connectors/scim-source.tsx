import type { Connector } from '@instep/contract/connectors.ts'
import { getScimStatus, listScimTokens, type ScimPush, type ScimStatus } from '@instep/contract/scim-in.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { CopyButton } from '@instep/ui/copy-button.tsx'
import { FigureStrip } from '@instep/ui/figure-strip.tsx'
import { KeyFigure } from '@instep/ui/key-figure.tsx'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useEventText } from '../../shared/use-event-text.ts'
import styles from './scim.module.css'
import { ScimTokens } from './scim-tokens.tsx'

const REFRESH_MS = 10_000

/** Where an identity system pushes to, with which tokens, and what has come. */
export function ScimSource({ connector }: { connector: Connector }) {
  const { t } = useTranslation('scim')
  const params = { connectorId: connector.id }
  const status = useEndpoint(getScimStatus, { params }, { refetchInterval: REFRESH_MS })
  const tokens = useEndpoint(listScimTokens, { params })
  return (
    <>
      <Section title={t('title')} hint={t('hint')}>
        {status.error && <ProblemNotice error={status.error} onRetry={status.refetch} />}
        {status.data && (
          <div className={styles.address}>
            <span className={styles.label}>{t('address')}</span>
            <bdi className={`mono ${styles.url}`}>{status.data.baseUrl}</bdi>
            <CopyButton text={status.data.baseUrl} />
          </div>
        )}
        {tokens.error && <ProblemNotice error={tokens.error} onRetry={tokens.refetch} />}
        {tokens.data && <ScimTokens connectorId={connector.id} tokens={tokens.data.data} />}
      </Section>
      {status.data && <Pushed status={status.data} />}
    </>
  )
}

function Pushed({ status }: { status: ScimStatus }) {
  const { t } = useTranslation('scim')
  const { number, instant } = useFormat()
  const { lastError, lastPushAt, recent } = status
  return (
    <Section title={t('pushed')} hint={t('pushedHint')}>
      <FigureStrip>
        <KeyFigure
          label={t('users')}
          value={number(status.users)}
          note={status.inactive > 0 && t('inactive', { count: status.inactive, amount: number(status.inactive) })}
        />
        <KeyFigure label={t('groups')} value={number(status.groups)} />
        <KeyFigure label={t('lastPush')} value={lastPushAt ? instant(lastPushAt) : t('never')} />
      </FigureStrip>
      {lastError && (
        <div className={styles.notice}>
          <Banner tone={lastPushAt && lastPushAt > lastError.at ? 'plain' : 'warn'} boxed>
            <strong>{t('lastError', { instant: instant(lastError.at), by: lastError.by })}</strong>
            <div>
              <bdi>{`${lastError.method} ${lastError.status}`}</bdi> <bdi>{lastError.detail}</bdi>
            </div>
          </Banner>
        </div>
      )}
      {recent.length === 0 ? (
        <p className={styles.muted}>{t('nothingPushed')}</p>
      ) : (
        <ul className={styles.list} aria-label={t('recent')}>
          {recent.map((push) => (
            <PushLine key={push.id} push={push} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function PushLine({ push }: { push: ScimPush }) {
  const { instant } = useFormat()
  const text = useEventText()
  return (
    <li className={styles.line}>
      <AppLink href={paths.logs(push.correlationId)}>
        <bdi>{text({ ...push, message: push.eventType, userName: null })}</bdi>
      </AppLink>
      <span className={styles.muted}>{push.by}</span>
      <bdi className={`figures ${styles.muted}`}>{instant(push.at)}</bdi>
    </li>
  )
}
