import type { OutboxMessage } from '@instep/contract/outbox.ts'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { IconClock, IconInbox, IconMailCheck, IconMailX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

const MARKS = {
  Pending: { icon: IconClock, tone: 'accent' },
  Success: { icon: IconMailCheck, tone: 'ok' },
  Error: { icon: IconMailX, tone: 'danger' },
  Kept: { icon: IconInbox, tone: 'idle' },
} as const satisfies Record<OutboxMessage['status'], object>

/** What became of a message. */
export function MessageStatus({ status }: Pick<OutboxMessage, 'status'>) {
  const { t } = useTranslation('outbox')
  return <IconMark {...MARKS[status]} label={t(`statuses.${status}`)} showLabel />
}
