import type { Connector } from '@instep/contract/connectors.ts'
import { type DriftSettings, getDrift, setDrift } from '@instep/contract/drift.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { TimeZoneField } from '../../shared/time-zone-field.tsx'
import styles from './connectors.module.css'

interface DriftScheduleProps {
  connector: Connector
  start: DriftSettings
  nextAt: string | null
}

/** When the target is read back by itself, and whether what was changed there is put back then. */
export function DriftSchedule({ connector, start, nextAt }: DriftScheduleProps) {
  const { t, i18n } = useTranslation(['targets', 'common'])
  const { tenantId, tenant } = useScope()
  const { instant } = useFormat()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [values, setValues] = useState<DriftSettings>(() =>
    start.every === 'off' ? { ...start, timeZone: tenant?.timeZone ?? start.timeZone } : start,
  )
  const change = (changed: Partial<DriftSettings>) => setValues((before) => ({ ...before, ...changed }))
  const save = useAction(setDrift, {
    onSuccess: () => {
      cache.invalidateQueries({ queryKey: endpointKey(getDrift) })
      showToast({ kind: 'done', text: t('schedule.saved') })
    },
  })
  const weekday = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' })
  const on = values.every !== 'off'
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ params: { tenantId, id: connector.id }, body: values })
      }}
    >
      <SelectField
        label={t('schedule.every')}
        hint={nextAt ? t('schedule.next', { time: instant(nextAt) }) : undefined}
        value={values.every}
        options={(['off', 'daily', 'weekly'] as const).map((value) => ({ value, label: t(`schedule.choices.${value}`) }))}
        onChange={(every) => change({ every: every as DriftSettings['every'] })}
      />
      {values.every === 'weekly' && (
        <SelectField
          label={t('schedule.weekday')}
          value={String(values.weekday)}
          // the first of March 2026 was a Sunday
          options={Array.from({ length: 7 }, (_, day) => ({ value: String(day), label: weekday.format(Date.UTC(2026, 2, 1 + day)) }))}
          onChange={(day) => change({ weekday: Number(day) })}
        />
      )}
      {on && (
        <>
          <SelectField
            label={t('schedule.hour')}
            value={String(values.hour)}
            options={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))}
            onChange={(hour) => change({ hour: Number(hour) })}
          />
          <TimeZoneField label={t('schedule.timeZone')} value={values.timeZone} onChange={(timeZone) => change({ timeZone })} />
          <Checkbox label={t('schedule.putBack')} showLabel checked={values.putBack} onChange={(putBack) => change({ putBack })} />
          <p className={styles.muted}>{t('schedule.putBackHint')}</p>
        </>
      )}
      {save.error && (
        <Banner tone="danger" boxed alert>
          {problemText(save.error)}
        </Banner>
      )}
      <div className={styles.actions}>
        <Button type="submit" size="form" busy={save.isPending}>
          {t('common:save')}
        </Button>
      </div>
    </form>
  )
}
