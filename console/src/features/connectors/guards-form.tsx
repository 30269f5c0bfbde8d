import { DEFAULT_GUARDS, GUARD_KINDS, type Guards, getGuards, guardsTurnedOff, updateGuards } from '@instep/contract/guard-settings.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { Section } from '@instep/ui/section.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { FrameFooter, useFrameClose } from '../../shared/drawer-frame.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useGuardNames } from '../../shared/use-guard-names.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import styles from './guards.module.css'
import { HOURS, hasTwins, POINTS, readGuards, type TypedGuards, typedOf } from './guards.rules.ts'
import { LimitFields, NumberField, WindowFields } from './limit-fields.tsx'
import { SiteLimits } from './site-limits.tsx'

interface GuardsFormProps {
  connectorId: string
  guards: Guards
  onClose: () => void
}

/** Changes the guards of a source; turning one off asks why. */
export function GuardsForm({ connectorId, guards, onClose }: GuardsFormProps) {
  const { t } = useTranslation(['guards', 'common'])
  const guardNames = useGuardNames()
  const id = useId()
  const stored = typedOf(guards.settings)
  const draft = useDraft<TypedGuards>(`guards.${connectorId}`, stored)
  const reason = useDraft(`guards.${connectorId}.reason`, '')
  const [asked, setAsked] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnProblem(form, asked)
  const typed = draft.value
  const changed = JSON.stringify(typed) !== JSON.stringify(stored)
  const guard = useLeaveGuard(changed)
  const discard = () => {
    draft.clear()
    reason.clear()
  }
  const settings = readGuards(typed)
  const turnedOff = settings ? guardsTurnedOff(guards.settings, settings) : []
  const close = () =>
    guard.leave(() => {
      discard()
      onClose()
    })
  useFrameClose(close)
  const save = useSaveGuards(connectorId, () => {
    guard.release()
    discard()
    onClose()
  })
  const reasonMissing = turnedOff.length > 0 && reason.value.trim() === ''
  const submit = () => {
    setAsked((times) => times + 1)
    if (!settings || reasonMissing) return
    save.run(settings, turnedOff.length > 0 ? reason.value.trim() : undefined)
  }
  const change = (part: Partial<TypedGuards>) => draft.change((before) => ({ ...before, ...part }))
  return (
    <>
      <form
        ref={form}
        id={id}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className={styles.muted}>{t('howLimits')}</p>
        {GUARD_KINDS.map((kind) => (
          <WindowFields
            key={kind}
            title={t(`kinds.${kind}`)}
            hint={t(`kindHints.${kind}`)}
            value={typed.limits[kind]}
            onChange={(windows) => change({ limits: { ...typed.limits, [kind]: windows } })}
          />
        ))}
        <SiteLimits value={typed.sites} twins={asked > 0 && hasTwins(typed)} onChange={(sites) => change({ sites })} />
        <SourceFields typed={typed} onChange={change} />
        {turnedOff.length > 0 && (
          <TextField
            label={t('common:reason')}
            hint={t('reasonHint', { guards: guardNames(turnedOff) })}
            required
            longest={1000}
            error={asked > 0 && reasonMissing ? t('common:enterValue', { value: t('common:reason').toLocaleLowerCase() }) : undefined}
            value={reason.value}
            onChange={reason.change}
          />
        )}
        {asked > 0 && !settings && (
          <Banner tone="danger" boxed alert>
            {t('notRead')}
          </Banner>
        )}
        {save.failure && (
          <Banner tone="danger" boxed alert>
            {save.failure}
          </Banner>
        )}
      </form>
      <FrameFooter>
        <Button variant="quiet" size="form" onClick={() => draft.change(typedOf(DEFAULT_GUARDS))}>
          {t('toDefaults')}
        </Button>
        <Button size="form" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button
          type="submit"
          form={id}
          variant="primary"
          size="form"
          busy={save.busy}
          disabledReason={changed ? null : t('nothingChanged')}
        >
          {t('common:save')}
        </Button>
      </FrameFooter>
      <LeaveDialog guard={guard} discard={discard} />
    </>
  )
}

const useSaveGuards = (connectorId: string, onSaved: () => void) => {
  const { t } = useTranslation('guards')
  const cache = useQueryClient()
  const problemText = useProblemText()
  const save = useAction(updateGuards, {
    onSuccess: (saved) => {
      cache.setQueryData(endpointKey(getGuards, { params: { connectorId } }), saved)
      showToast({ kind: 'done', text: t('saved') })
      onSaved()
    },
  })
  return {
    busy: save.isPending,
    failure: save.error && problemText(save.error),
    run: (settings: Guards['defaults'], reason: string | undefined) =>
      save.mutate({ params: { connectorId }, body: { settings, ...(reason ? { reason } : {}) } }),
  }
}

interface SourceFieldsProps {
  typed: TypedGuards
  onChange: (part: Partial<TypedGuards>) => void
}

function SourceFields({ typed, onChange }: SourceFieldsProps) {
  const { t } = useTranslation('guards')
  const { emptierColumn, staleSource } = typed
  return (
    <Section title={t('source')} hint={t('sourceHint')}>
      <div className={styles.checks}>
        <LimitFields label={t('checks.fewerRows')} value={typed.fewerRows} onChange={(fewerRows) => onChange({ fewerRows })} />
        <div className={styles.limit}>
          <Checkbox
            label={t('checks.emptierColumn')}
            showLabel
            checked={emptierColumn.on}
            onChange={(on) => onChange({ emptierColumn: { ...emptierColumn, on } })}
          />
          {emptierColumn.on && (
            <NumberField
              label={t('points')}
              range={POINTS}
              value={emptierColumn.points}
              onChange={(points) => onChange({ emptierColumn: { ...emptierColumn, points } })}
            />
          )}
        </div>
        <div className={styles.limit}>
          <Checkbox
            label={t('checks.staleSource')}
            showLabel
            checked={staleSource.on}
            onChange={(on) => onChange({ staleSource: { ...staleSource, on } })}
          />
          {staleSource.on && (
            <NumberField
              label={t('hours')}
              range={HOURS}
              value={staleSource.hours}
              onChange={(hours) => onChange({ staleSource: { ...staleSource, hours } })}
            />
          )}
        </div>
        {(['encodingChanged', 'cutRecord', 'manifestDiffers'] as const).map((check) => (
          <Checkbox
            key={check}
            label={t(`checks.${check}`)}
            showLabel
            checked={typed[check]}
            onChange={(on) => onChange({ [check]: on })}
          />
        ))}
      </div>
    </Section>
  )
}
