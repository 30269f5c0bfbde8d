import type { Connector } from '@instep/contract/connectors.ts'
import {
  GUARD_KINDS,
  GUARD_WINDOWS,
  type Guards,
  getGuards,
  type KindLimits,
  type Limit,
  updateGuards,
} from '@instep/contract/guard-settings.ts'
import { Button } from '@instep/ui/button.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGuardName } from '../../shared/use-guard-names.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './guards.module.css'
import { passing } from './guards.rules.ts'
import { GuardsForm } from './guards-form.tsx'
import { ProtectedPeople } from './protected-people.tsx'

/** What a sync of a source may do without anybody looking, and whom it never deactivates. */
export function GuardsSection({ connector }: { connector: Connector }) {
  const { t } = useTranslation(['guards', 'common'])
  const [search, change] = usePageSearch()
  const refusal = useRefusal()
  const guards = useEndpoint(getGuards, { params: { connectorId: connector.id } })
  const close = () => change({ form: undefined }, { replace: true })
  return (
    <>
      <Section
        title={t('title')}
        hint={t('about')}
        actions={
          guards.data && (
            <Button icon={IconPencil} disabledReason={refusal.ofCall(updateGuards)} onClick={() => change({ form: 'guards' })}>
              {t('change')}
            </Button>
          )
        }
      >
        {guards.error && <ProblemNotice error={guards.error} onRetry={guards.refetch} />}
        {guards.isPending && <Loader label={t('common:loading')} />}
        {guards.data && <Shown guards={guards.data} />}
      </Section>
      <ProtectedPeople connector={connector} />
      <FramedDrawer
        opened={search['form'] === 'guards' && guards.data !== undefined}
        title={t('title')}
        aside={connector.name}
        onClose={close}
      >
        {guards.data && <GuardsForm connectorId={connector.id} guards={guards.data} onClose={close} />}
      </FramedDrawer>
    </>
  )
}

function Shown({ guards }: { guards: Guards }) {
  const { t } = useTranslation('guards')
  const { number } = useFormat()
  const { sites } = useScope()
  const guardName = useGuardName()
  const { settings, version, active } = guards
  const nameOf = (siteId: string | null) =>
    siteId === null ? t('eachSite') : (sites?.find(({ id }) => id === siteId)?.name ?? t('oneSite'))
  return (
    <>
      <table className={styles.limits}>
        <thead>
          <tr>
            <th scope="col">{t('columns.kind')}</th>
            {GUARD_WINDOWS.map((window) => (
              <th key={window} scope="col">
                {t(`windows.${window}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {GUARD_KINDS.map((kind) => (
            <LimitRow key={kind} name={t(`kinds.${kind}`)} limits={settings.limits[kind]} active={active} />
          ))}
          {settings.sites.map((site) => (
            <LimitRow
              key={`${site.siteId} ${site.kind}`}
              name={t('siteKind', { site: nameOf(site.siteId), kind: t(`kinds.${site.kind}`) })}
              limits={site}
              active={null}
            />
          ))}
        </tbody>
      </table>
      <SourceChecksShown guards={guards} />
      {settings.off.length > 0 && (
        <ul className={styles.facts}>
          {settings.off.map((off) => (
            <li key={off.guard}>{t('offBecause', { ...off, guard: guardName(off.guard) })}</li>
          ))}
        </ul>
      )}
      <p className={styles.muted}>
        {version === null ? t('areDefaults') : t('fromVersion', { version: number(version) })} {t('small')}
      </p>
    </>
  )
}

function LimitRow({ name, limits, active }: { name: string; limits: KindLimits; active: number | null }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {GUARD_WINDOWS.map((window) => (
        <td key={window}>
          <LimitShown limit={limits[window]} active={active} />
        </td>
      ))}
    </tr>
  )
}

/** A limit in words, and how many people that is now. */
function LimitShown({ limit, active }: { limit: Limit; active: number | null }) {
  const { t } = useTranslation('guards')
  const { number } = useFormat()
  if (!limit.on) return <span className={styles.muted}>{t('noLimit')}</span>
  return (
    <>
      <bdi>{t('limit', { percent: number(limit.percent), count: limit.number, amount: number(limit.number) })}</bdi>{' '}
      {active !== null && <bdi className={styles.muted}>{t('now', { amount: number(passing(limit, active)) })}</bdi>}
    </>
  )
}

function SourceChecksShown({ guards }: { guards: Guards }) {
  const { t } = useTranslation('guards')
  const { number } = useFormat()
  const { fewerRows, emptierColumn, encodingChanged, staleSource, cutRecord, manifestDiffers } = guards.settings.source
  const held = [
    t('held.always'),
    fewerRows.on && t('held.fewerRows', { percent: number(fewerRows.percent), amount: number(fewerRows.number) }),
    emptierColumn.on && t('held.emptierColumn', { points: number(emptierColumn.points) }),
    encodingChanged.on && t('held.encodingChanged'),
    staleSource.on && t('held.staleSource', { hours: number(staleSource.hours) }),
    cutRecord.on && t('held.cutRecord'),
    manifestDiffers.on && t('held.manifestDiffers'),
  ].filter((line) => line !== false)
  return (
    <div className={styles.source}>
      <h3>{t('source')}</h3>
      <ul className={styles.facts}>
        {held.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
