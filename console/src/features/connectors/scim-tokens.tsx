import { createScimToken, listScimTokens, revokeScimToken, type ScimToken } from '@instep/contract/scim-in.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './scim.module.css'
import { TokenDialog, type TokenMaking } from './token-dialog.tsx'

interface ScimTokensProps {
  connectorId: string
  tokens: readonly ScimToken[]
}

/** The tokens of a connector: made, renewed and revoked here. */
export function ScimTokens({ connectorId, tokens }: ScimTokensProps) {
  const { t } = useTranslation('scim')
  const { ofCall } = useRefusal()
  const [making, setMaking] = useState<TokenMaking | null>(null)
  const [revoking, setRevoking] = useState<ScimToken | null>(null)
  const expiring = tokens.filter(({ state }) => state === 'expiring').length
  const refused = ofCall(createScimToken)
  return (
    <>
      {expiring > 0 && (
        <div className={styles.notice}>
          <Banner tone="warn" boxed>
            {t('expiring', { count: expiring })}
          </Banner>
        </div>
      )}
      <div className={styles.head}>
        <h3>{t('tokens')}</h3>
        <Button icon={IconPlus} disabledReason={refused} onClick={() => setMaking({ replaces: null })}>
          {t('create')}
        </Button>
      </div>
      {tokens.length === 0 && <p className={styles.muted}>{t('noTokens')}</p>}
      <ul className={styles.list} aria-label={t('tokens')}>
        {tokens.map((token) => (
          <TokenLine
            key={token.id}
            token={token}
            refused={refused}
            onRotate={() => setMaking({ replaces: token })}
            onRevoke={() => setRevoking(token)}
          />
        ))}
      </ul>
      <TokenDialog connectorId={connectorId} making={making} onClose={() => setMaking(null)} />
      <RevokeDialog connectorId={connectorId} token={revoking} onClose={() => setRevoking(null)} />
    </>
  )
}

const STATES = {
  active: { icon: IconCircleCheck, tone: 'ok' },
  expiring: { icon: IconAlertTriangle, tone: 'warn' },
  expired: { icon: IconCircleX, tone: 'danger' },
} as const

interface TokenLineProps {
  token: ScimToken
  refused: string | null
  onRotate: () => void
  onRevoke: () => void
}

function TokenLine({ token, refused, onRotate, onRevoke }: TokenLineProps) {
  const { t } = useTranslation('scim')
  const { instant } = useFormat()
  const { icon, tone } = STATES[token.state]
  return (
    <li className={styles.token}>
      <div>
        <bdi className={styles.name}>{token.label}</bdi>
        <p className={styles.muted}>{t('made', { instant: instant(token.createdAt), by: token.createdBy })}</p>
      </div>
      <div>
        <IconMark icon={icon} tone={tone} label={t(`states.${token.state}`)} showLabel />
        <p className={styles.muted}>{token.expiresAt ? t('ends', { instant: instant(token.expiresAt) }) : t('noEnd')}</p>
      </div>
      <span className={styles.muted}>{token.lastUsedAt ? t('used', { instant: instant(token.lastUsedAt) }) : t('unused')}</span>
      <span className={styles.actions}>
        <Button aria-label={t('rotateOf', { label: token.label })} disabledReason={refused} onClick={onRotate}>
          {t('rotate')}
        </Button>
        <Button aria-label={t('revokeOf', { label: token.label })} disabledReason={refused} onClick={onRevoke}>
          {t('revoke')}
        </Button>
      </span>
    </li>
  )
}

interface RevokeDialogProps {
  connectorId: string
  /** Null closes the question. */
  token: ScimToken | null
  onClose: () => void
}

function RevokeDialog({ connectorId, token, onClose }: RevokeDialogProps) {
  const { t } = useTranslation(['scim', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  // the question keeps its words while it fades
  const [last, setLast] = useState(token)
  if (token && token !== last) setLast(token)
  const label = last?.label ?? ''
  const revoke = useAction(revokeScimToken, {
    onSuccess: () => {
      showToast({ kind: 'done', text: t('revoked', { label }) })
      cache.invalidateQueries({ queryKey: endpointKey(listScimTokens) })
      onClose()
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  return (
    <Dialog
      opened={token !== null}
      onClose={onClose}
      title={t('revokeOf', { label })}
      footer={
        <>
          <Button size="form" data-autofocus onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            size="form"
            variant="danger"
            busy={revoke.isPending}
            onClick={() => last && revoke.mutate({ params: { connectorId, tokenId: last.id } })}
          >
            {t('revoke')}
          </Button>
        </>
      }
    >
      <p>{t('revokeText')}</p>
    </Dialog>
  )
}
