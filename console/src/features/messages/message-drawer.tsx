import { getMessage } from '@instep/contract/outbox.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { FieldSection, ShownField } from '@instep/ui/field-section.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { MessageStatus } from './message-status.tsx'
import styles from './messages.module.css'

interface MessageDrawerProps {
  /** Null while closed. */
  messageId: string | null
  onClose: () => void
}

/** One message as its recipient reads it, and what became of it. */
export function MessageDrawer({ messageId, onClose }: MessageDrawerProps) {
  const { t } = useTranslation(['outbox', 'common'])
  const { tenantId } = useScope()
  const { instant, number } = useFormat()
  const query = useEndpoint(getMessage, { params: { tenantId, messageId: messageId ?? '' } }, { enabled: messageId !== null })
  const message = messageId === null ? undefined : query.data
  return (
    <Drawer
      opened={messageId !== null}
      onClose={onClose}
      title={message?.subject ?? t('message')}
      footer={
        <>
          {message && (
            <AppLink href={message.link} className={buttonClass('secondary')}>
              {t('open')}
            </AppLink>
          )}
          <Button onClick={onClose}>{t('common:close')}</Button>
        </>
      }
    >
      {query.error ? (
        <ProblemNotice error={query.error} onRetry={query.refetch} />
      ) : message ? (
        <>
          <FieldSection title={t('delivery')} hint={message.status === 'Kept' ? t('keptHint') : undefined}>
            <ShownField label={t('columns.status')} value={<MessageStatus status={message.status} />} />
            <ShownField
              label={t('columns.recipient')}
              value={
                <bdi>
                  {message.recipientName} ({message.address})
                </bdi>
              }
            />
            <ShownField label={t('columns.created')} value={<bdi>{instant(message.createdAt)}</bdi>} />
            <ShownField label={t('sentAt')} value={message.sentAt && <bdi>{instant(message.sentAt)}</bdi>} />
            <ShownField label={t('attempts')} value={number(message.attempts)} />
            <ShownField label={t('nextTryAt')} value={message.nextTryAt && <bdi>{instant(message.nextTryAt)}</bdi>} />
            {message.lastError && <ShownField label={t('lastError')} value={<bdi>{message.lastError}</bdi>} wide />}
            <ShownField label={t('log')} value={<AppLink href={paths.logs(message.correlationId)}>{t('logLink')}</AppLink>} />
          </FieldSection>
          <Section title={t('text')}>
            <p className={styles.text}>{message.text}</p>
          </Section>
        </>
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Drawer>
  )
}
