import { type Connector, getConnector } from '@instep/contract/connectors.ts'
import type { ResponseOf } from '@instep/contract/endpoint.ts'
import { rotateWebhookSecret } from '@instep/contract/webhook-secret.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { CopyButton } from '@instep/ui/copy-button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { Section } from '@instep/ui/section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './webhook.module.css'

/** How long the secret before goes on, in days. */
const OVERLAPS = ['0', '1', '7', '30'] as const

/** What docs/webhooks.md says in full. */
const EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto'

const key = Buffer.from(process.env.INSTEP_SECRET.slice('whsec_'.length), 'base64')

/** body: the bytes as they came, before any JSON parser has seen them */
export const isFromInstep = (headers, body) => {
  const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']]
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const [version, encoded = ''] = signature.split(',')
    const given = Buffer.from(encoded, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}`

/** How a receiver checks what it is told, and the renewal of the secret. */
export function WebhookSigning({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const [rotating, setRotating] = useState(false)
  const refusal = useRefusal().ofCall(rotateWebhookSecret)
  return (
    <Section
      title={t('webhook.title')}
      actions={
        <Button disabledReason={refusal} onClick={() => setRotating(true)}>
          {t('webhook.rotate')}
        </Button>
      }
    >
      <p className={styles.text}>{t('webhook.text')}</p>
      <p className={styles.text}>{t('webhook.order')}</p>
      <details>
        <summary>{t('webhook.example')}</summary>
        <div className={styles.example}>
          {/* it scrolls, so the keyboard must reach it */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus */}
          <section tabIndex={0} aria-label={t('webhook.example')} dir="ltr">
            <pre>{EXAMPLE}</pre>
          </section>
          <CopyButton text={EXAMPLE} />
        </div>
      </details>
      <RotateDialog connector={connector} opened={rotating} onClose={() => setRotating(false)} />
    </Section>
  )
}

interface RotateDialogProps {
  connector: Connector
  opened: boolean
  onClose: () => void
}

function RotateDialog({ connector, opened, onClose }: RotateDialogProps) {
  const { t } = useTranslation(['connectors', 'common'])
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [days, setDays] = useState('7')
  const [made, setMade] = useState<ResponseOf<typeof rotateWebhookSecret> | null>(null)
  const rotate = useAction(rotateWebhookSecret, {
    onSuccess: (told) => {
      setMade(told)
      cache.invalidateQueries({ queryKey: endpointKey(getConnector) })
    },
  })
  const close = () => {
    onClose()
    // it is told once, and kept nowhere
    setMade(null)
    rotate.reset()
  }
  return (
    <Dialog
      opened={opened}
      // whoever clicks beside must not lose what is told once
      onClose={made ? undefined : close}
      title={t(made ? 'webhook.ready' : 'webhook.rotate')}
      footer={
        made ? (
          <Button size="form" variant="primary" onClick={close}>
            {t('webhook.kept')}
          </Button>
        ) : (
          <>
            <Button size="form" onClick={close}>
              {t('common:cancel')}
            </Button>
            <Button
              size="form"
              variant="primary"
              busy={rotate.isPending}
              onClick={() => rotate.mutate({ params: { tenantId, id: connector.id }, body: { overlapDays: Number(days) } })}
            >
              {t('webhook.rotate')}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <Secret made={made} />
      ) : (
        <>
          <p>{t('webhook.rotateText')}</p>
          <SelectField
            label={t('webhook.days')}
            value={days}
            options={OVERLAPS.map((value) => ({ value, label: t(`webhook.daysOf.${value}`) }))}
            onChange={setDays}
          />
          {rotate.error && (
            <Banner tone="danger" boxed alert>
              {problemText(rotate.error)}
            </Banner>
          )}
        </>
      )}
    </Dialog>
  )
}

function Secret({ made }: { made: ResponseOf<typeof rotateWebhookSecret> }) {
  const { t } = useTranslation('connectors')
  const { date } = useFormat()
  return (
    <div className={styles.made}>
      <Banner tone="warn" boxed>
        {t('webhook.once')}
      </Banner>
      <div className={styles.secret}>
        <bdi className="mono">{made.secret}</bdi>
        <CopyButton text={made.secret} />
      </div>
      <p className={styles.text}>{made.previousUntil ? t('webhook.until', { day: date(made.previousUntil) }) : t('webhook.ended')}</p>
    </div>
  )
}
