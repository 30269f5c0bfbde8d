import type { Connector } from '@instep/contract/connectors.ts'
import { listTargetAccounts } from '@instep/contract/provisioning.ts'
import { listTargetGroups, listTargetMembers } from '@instep/contract/target-groups.ts'
import {
  approveRemovals,
  getTargetHealth,
  REMOVAL_KINDS,
  type RemovalKind,
  type Removals,
  rejectRemovals,
} from '@instep/contract/target-policy.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { useCauseWords } from '../../shared/use-cause-words.ts'
import { useDraft } from '../../shared/use-draft.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './connectors.module.css'

const REFRESH_MS = 5_000

/** What is in the way of a target: a pause, or removals that wait for a person. */
export function TargetBanner({ connector }: { connector: Connector }) {
  const { t } = useTranslation('targetPolicy')
  const { tenantId } = useScope()
  const { number, instant } = useFormat()
  const causeWords = useCauseWords()
  const health = useEndpoint(getTargetHealth, { params: { tenantId, id: connector.id } }, { refetchInterval: REFRESH_MS })
  if (!health.data) return null
  const { pause } = health.data
  return (
    <>
      {!connector.enabled && (
        <Banner tone="warn" boxed>
          {t('off')}
        </Banner>
      )}
      {pause && (
        <Banner tone="danger" boxed alert>
          <strong>{t('paused', { until: instant(pause.until), since: instant(pause.since) })}</strong>
          <div>
            {causeWords(pause.cause)} {pause.detail}
          </div>
        </Banner>
      )}
      {REMOVAL_KINDS.map((kind) => {
        const removals = health.data[kind]
        const { held, rejected } = removals
        return (
          <Fragment key={kind}>
            {held > 0 && <Held connector={connector} kind={kind} removals={removals} />}
            {rejected > 0 && (
              <Banner tone="plain" boxed>
                {t(`rejectedNow.${kind}`, { count: rejected, amount: number(rejected) })}
              </Banner>
            )}
          </Fragment>
        )
      })}
    </>
  )
}

function Held({ connector, kind, removals }: { connector: Connector; kind: RemovalKind; removals: Removals }) {
  const { t } = useTranslation(['targetPolicy', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refusal = useRefusal()
  const reason = useDraft(`removals.${kind}.${connector.id}.reason`, '')
  const [asked, setAsked] = useState(false)
  const decided = (word: 'approved' | 'rejected') => ({
    onSuccess: ({ count }: { count: number }) => {
      reason.clear()
      showToast({ kind: 'done', text: t(`${word}.${kind}`, { count, amount: number(count) }) })
      for (const changed of [getTargetHealth, listTargetAccounts, listTargetGroups, listTargetMembers])
        cache.invalidateQueries({ queryKey: endpointKey(changed) })
    },
  })
  const look = () => cache.invalidateQueries({ queryKey: endpointKey(getTargetHealth) })
  const approve = useAction(approveRemovals, { ...decided('approved'), onError: () => void look() })
  const reject = useAction(rejectRemovals, decided('rejected'))
  const error = approve.error ?? reject.error
  const given = reason.value.trim()
  const { held, hold } = removals
  const params = { tenantId, id: connector.id }
  const decide = (word: 'approve' | 'reject') => {
    setAsked(true)
    if (!given) return
    if (word === 'approve') approve.mutate({ params, body: { kind, reason: given, seen: held } })
    else reject.mutate({ params, body: { kind, reason: given } })
  }
  return (
    <Banner tone="warn" boxed>
      <strong>{t(`held.${kind}`, { count: held, amount: number(held) })}</strong>
      {hold && (
        <div>
          {t(`heldWhy.${kind}`, { wanted: number(hold.wanted), population: number(hold.population), allowed: number(hold.allowed) })}
        </div>
      )}
      <div className={styles.form}>
        <TextField
          label={t('decisionReason')}
          required
          longest={300}
          error={asked && !given ? t('common:enterValue', { value: t('decisionReason').toLocaleLowerCase() }) : undefined}
          value={reason.value}
          onChange={reason.change}
        />
        {error && <div role="alert">{problemText(error)}</div>}
        <div className={styles.actions}>
          <Button size="form" busy={reject.isPending} disabledReason={refusal.ofCall(rejectRemovals)} onClick={() => decide('reject')}>
            {t('reject')}
          </Button>
          <Button
            variant="primary"
            size="form"
            busy={approve.isPending}
            disabledReason={refusal.ofCall(approveRemovals)}
            onClick={() => decide('approve')}
          >
            {t('approve')}
          </Button>
        </div>
      </div>
    </Banner>
  )
}
