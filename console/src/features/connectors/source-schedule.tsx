import type { Connector } from '@instep/contract/connectors.ts'
import { APPLY_MODES, getSchedule, previewSchedule, type Schedule, setSchedule } from '@instep/contract/sources.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { Section } from '@instep/ui/section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { TimeZoneField } from '../../shared/time-zone-field.tsx'
import styles from './connectors.module.css'
import { type Choice, choiceOf, cronOf, PRESETS, type Preset } from './schedule.rules.ts'

interface SourceScheduleProps {
  connector: Connector
  /** Plans may be applied by themselves: a person has applied one. */
  automaticOffered: boolean
}

/** When a source is fetched by itself, in words, with the next times beside it. */
export function SourceSchedule({ connector, automaticOffered }: SourceScheduleProps) {
  const { t } = useTranslation('connectors')
  const { tenant } = useScope()
  const query = useEndpoint(getSchedule, { params: { connectorId: connector.id } })
  const stored = query.data?.schedule
  const fresh = { cron: '0 6 * * *', timeZone: tenant?.timeZone ?? 'UTC', enabled: true, apply: 'approval' as const }
  return (
    <Section title={t('schedule.title')} hint={t('schedule.hint')}>
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {stored?.skipped && <p className={styles.muted}>{t(`schedule.skipped.${stored.skipped.reason}`)}</p>}
      {query.data && (
        <Editor
          key={JSON.stringify(stored)}
          connectorId={connector.id}
          start={stored ?? fresh}
          isNew={!stored}
          automaticOffered={automaticOffered || stored?.apply === 'automatic'}
        />
      )}
    </Section>
  )
}

interface EditorProps {
  connectorId: string
  start: Pick<Schedule, 'cron' | 'timeZone' | 'enabled' | 'apply'>
  isNew: boolean
  automaticOffered: boolean
}

function Editor({ connectorId, start, isNew, automaticOffered }: EditorProps) {
  const { t } = useTranslation(['connectors', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [choice, setChoice] = useState<Choice>(() => choiceOf(start.cron))
  const [values, setValues] = useState({ timeZone: start.timeZone, enabled: start.enabled, apply: start.apply })
  const change = (changed: Partial<typeof values>) => setValues((before) => ({ ...before, ...changed }))
  const cron = cronOf(choice)
  const save = useAction(setSchedule, {
    onSuccess: () => {
      cache.invalidateQueries({ queryKey: endpointKey(getSchedule) })
      showToast({ kind: 'done', text: t('schedule.saved') })
    },
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (cron) save.mutate({ params: { connectorId }, body: { ...values, cron } })
      }}
    >
      <When choice={choice} onChange={setChoice} />
      <TimeZoneField label={t('schedule.timeZone')} value={values.timeZone} onChange={(timeZone) => change({ timeZone })} />
      <NextTimes connectorId={connectorId} cron={cron} timeZone={values.timeZone} choice={choice} />
      <SelectField
        label={t('schedule.apply')}
        hint={automaticOffered ? undefined : t('schedule.automaticLater')}
        value={values.apply}
        options={APPLY_MODES.filter((mode) => mode === 'approval' || automaticOffered).map((mode) => ({
          value: mode,
          label: t(`schedule.modes.${mode}`),
        }))}
        onChange={(apply) => change({ apply: apply as Schedule['apply'] })}
      />
      <Checkbox label={t('schedule.enabled')} showLabel checked={values.enabled} onChange={(enabled) => change({ enabled })} />
      {save.error && (
        <Banner tone="danger" boxed alert>
          {problemText(save.error)}
        </Banner>
      )}
      <div className={styles.actions}>
        <Button type="submit" size="form" busy={save.isPending} disabledReason={cron ? undefined : t('schedule.incomplete')}>
          {t(isNew ? 'schedule.set' : 'common:save')}
        </Button>
      </div>
    </form>
  )
}

function When({ choice, onChange }: { choice: Choice; onChange: (choice: Choice) => void }) {
  const { t, i18n } = useTranslation('connectors')
  const { preset, time, weekday, cron } = choice
  const weekdays = Array.from({ length: 7 }, (_, day) => ({
    value: String(day),
    // the first of March 2026 was a Sunday
    label: new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 2, 1 + day)),
  }))
  return (
    <>
      <SelectField
        label={t('schedule.when')}
        value={preset}
        options={PRESETS.map((value) => ({ value, label: t(`schedule.presets.${value}`) }))}
        onChange={(value) => onChange({ ...choice, preset: value as Preset, cron: cronOf(choice) ?? cron })}
      />
      {preset === 'weekly' && (
        <SelectField
          label={t('schedule.weekday')}
          value={String(weekday)}
          options={weekdays}
          onChange={(day) => onChange({ ...choice, weekday: Number(day) })}
        />
      )}
      {preset === 'custom' ? (
        <TextField
          label={t('schedule.cron')}
          hint={t('schedule.cronHint')}
          dir="ltr"
          longest={100}
          value={cron}
          onChange={(text) => onChange({ ...choice, cron: text })}
        />
      ) : (
        <TextField
          label={t(preset === 'hourly' ? 'schedule.minute' : 'schedule.time')}
          dir="ltr"
          error={cronOf(choice) === undefined && time.trim() !== '' ? t('schedule.noTime') : undefined}
          value={time}
          onChange={(text) => onChange({ ...choice, time: text })}
        />
      )}
    </>
  )
}

/** What the choice means: a sentence, and the next three times in its own time zone. */
function NextTimes({
  connectorId,
  cron,
  timeZone,
  choice,
}: {
  connectorId: string
  cron: string | undefined
  timeZone: string
  choice: Choice
}) {
  const { t, i18n } = useTranslation('connectors')
  const preview = useEndpoint(
    previewSchedule,
    { params: { connectorId }, body: { cron: cron ?? '', timeZone } },
    { enabled: cron !== undefined && timeZone !== '', keepOld: true },
  )
  if (!cron) return <p className={styles.muted}>{t('schedule.incomplete')}</p>
  if (preview.error) return <p className={styles.muted}>{t('schedule.noSuchTime')}</p>
  const locale = i18n.language
  const shown = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 2, 1 + choice.weekday))
  return (
    <div className={styles.next} aria-live="polite">
      <span>{t(`schedule.means.${choice.preset}`, { time: choice.time, minute: choice.time.slice(-2), weekday, zone: timeZone })}</span>
      {preview.data && (
        <span className={styles.muted}>
          {t('schedule.next', { times: preview.data.next.map((time) => shown.format(new Date(time))).join(' · ') })}
        </span>
      )}
    </div>
  )
}
