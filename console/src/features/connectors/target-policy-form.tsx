import {
  getTargetHealth,
  getTargetPolicy,
  LEAVER_ACTIONS,
  REMOVAL_KINDS,
  type RemovalKind,
  type TargetPolicy,
  updateTargetPolicy,
} from '@instep/contract/target-policy.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { FrameFooter, useFrameClose } from '../../shared/drawer-frame.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import styles from './guards.module.css'
import type { TypedLimit } from './guards.rules.ts'
import { ProtectedAccounts } from './protected-accounts.tsx'
import { readTyped, type TypedPolicy, typedPolicy } from './target-policy.rules.ts'

interface TargetPolicyFormProps {
  connectorId: string
  policy: TargetPolicy
  onClose: () => void
}

/** Changes what is done at a target; turning the guard off asks why. */
export function TargetPolicyForm({ connectorId, policy, onClose }: TargetPolicyFormProps) {
  const { t } = useTranslation(['targetPolicy', 'common'])
  const { tenantId } = useScope()
  const id = useId()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const stored = typedPolicy(policy)
  const draft = useDraft<TypedPolicy>(`policy.${connectorId}`, stored)
  const reason = useDraft(`policy.${connectorId}.reason`, '')
  const [asked, setAsked] = useState(false)
  const typed = draft.value
  const changed = JSON.stringify(typed) !== JSON.stringify(stored)
  const guard = useLeaveGuard(changed)
  const discard = () => {
    draft.clear()
    reason.clear()
  }
  const close = () =>
    guard.leave(() => {
      discard()
      onClose()
    })
  useFrameClose(close)
  const params = { tenantId, id: connectorId }
  const save = useAction(updateTargetPolicy, {
    onSuccess: (saved) => {
      cache.setQueryData(endpointKey(getTargetPolicy, { params }), saved)
      cache.invalidateQueries({ queryKey: endpointKey(getTargetHealth) })
      showToast({ kind: 'done', text: t('saved') })
      guard.release()
      discard()
      onClose()
    },
  })
  const read = readTyped(typed)
  const turnedOff = REMOVAL_KINDS.some((kind) => stored.guards[kind].on && !typed.guards[kind].on)
  const given = reason.value.trim()
  const reasonMissing = turnedOff && given === ''
  const change = (part: Partial<TypedPolicy>) => draft.change((before) => ({ ...before, ...part }))
  return (
    <>
      <form
        id={id}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
          if (read && !reasonMissing) save.mutate({ params, body: { policy: read, ...(given ? { reason: given } : {}) } })
        }}
      >
        <PolicyFields typed={typed} onChange={change} />
        {turnedOff && (
          <TextField
            label={t('guardReason')}
            required
            longest={300}
            error={asked && reasonMissing ? t('common:enterValue', { value: t('guardReason').toLocaleLowerCase() }) : undefined}
            value={reason.value}
            onChange={reason.change}
          />
        )}
        {asked && !read && (
          <Banner tone="danger" boxed alert>
            {t('notRead')}
          </Banner>
        )}
        {save.error && (
          <Banner tone="danger" boxed alert>
            {problemText(save.error)}
          </Banner>
        )}
      </form>
      <FrameFooter>
        <Button size="form" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button
          type="submit"
          form={id}
          variant="primary"
          size="form"
          busy={save.isPending}
          disabledReason={changed ? null : t('nothingChanged')}
        >
          {t('common:save')}
        </Button>
      </FrameFooter>
      <LeaveDialog guard={guard} discard={discard} />
    </>
  )
}

interface PolicyFieldsProps {
  typed: TypedPolicy
  onChange: (part: Partial<TypedPolicy>) => void
}

function PolicyFields({ typed, onChange }: PolicyFieldsProps) {
  const { t } = useTranslation('targetPolicy')
  return (
    <>
      <SelectField
        label={t('leavers')}
        hint={t(`leaverHints.${typed.action}`)}
        value={typed.action}
        options={LEAVER_ACTIONS.map((value) => ({ value, label: t(`leaver.${value}`) }))}
        onChange={(value) => onChange({ action: LEAVER_ACTIONS.find((one) => one === value) ?? 'disable' })}
      />
      {typed.action === 'delete' && (
        <TextField
          label={t('graceDays')}
          hint={t('graceDaysHint')}
          inputMode="numeric"
          value={typed.graceDays}
          onChange={(graceDays) => onChange({ graceDays })}
        />
      )}
      {REMOVAL_KINDS.map((kind) => (
        <GuardFields
          key={kind}
          kind={kind}
          typed={typed.guards[kind]}
          onChange={(guard) => onChange({ guards: { ...typed.guards, [kind]: guard } })}
        />
      ))}
      <ProtectedAccounts value={typed.protectedAccounts} onChange={(protectedAccounts) => onChange({ protectedAccounts })} />
      <TextField
        label={t('concurrency')}
        hint={t('concurrencyHint')}
        inputMode="numeric"
        value={typed.concurrency}
        onChange={(concurrency) => onChange({ concurrency })}
      />
      <TextField
        label={t('perSecond')}
        hint={t('perSecondHint')}
        inputMode="decimal"
        value={typed.perSecond}
        onChange={(perSecond) => onChange({ perSecond })}
      />
    </>
  )
}

interface GuardFieldsProps {
  kind: RemovalKind
  typed: TypedLimit
  onChange: (guard: TypedLimit) => void
}

function GuardFields({ kind, typed, onChange }: GuardFieldsProps) {
  const { t } = useTranslation('targetPolicy')
  return (
    <>
      <Checkbox label={t(`guards.${kind}`)} showLabel checked={typed.on} onChange={(on) => onChange({ ...typed, on })} />
      {typed.on && (
        <div className={styles.numbers}>
          <TextField
            label={t(`percentOf.${kind}`)}
            inputMode="decimal"
            value={typed.percent}
            onChange={(percent) => onChange({ ...typed, percent })}
          />
          <TextField
            label={t(`numberOf.${kind}`)}
            inputMode="numeric"
            value={typed.number}
            onChange={(number) => onChange({ ...typed, number })}
          />
        </div>
      )}
    </>
  )
}
