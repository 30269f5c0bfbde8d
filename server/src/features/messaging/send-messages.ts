import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { MailRefused, type SendMail } from './mail.ts'
import { messageHtml, messageText, messageWords } from './message.rules.ts'
import { claimMessage, endMessage, failAttempt, type MessageRow } from './outbox.store.ts'

interface SendingDeps {
  readonly db: Db
  readonly clock: Clock
  /** Undefined: no mail server is set up, and messages stay in the outbox. */
  readonly send: SendMail | undefined
  /** Address of the console, without a slash at its end. */
  readonly publicUrl: string
}

const mailOf = (message: MessageRow, publicUrl: string) => {
  const words = messageWords(message)
  return {
    messageId: `<${message.id}@${new URL(publicUrl).hostname}>`,
    to: { name: message.recipientName, address: message.address },
    subject: words.subject,
    text: messageText(words, publicUrl),
    html: messageHtml(words, { publicUrl, lang: message.locale.replace('_', '-') }),
  }
}

const sendOne = async ({ db, clock, send, publicUrl }: SendingDeps, message: MessageRow): Promise<void> => {
  if (!send) return endMessage(db, message, { state: 'kept', at: clock.now(), error: null })
  try {
    await send(mailOf(message, publicUrl))
  } catch (error) {
    const final = error instanceof MailRefused && error.final
    return failAttempt(db, message, { at: clock.now(), error: error instanceof Error ? error.message : String(error), final })
  }
  await endMessage(db, message, { state: 'sent', at: clock.now(), error: null })
}

/**
 * Sends every message that is due. Each is claimed first and noted afterwards: whoever dies between the mail server's answer and the note lets the
 * message be sent once more under the same Message-ID, which is all that SMTP lets one do; nobody else can send it twice.
 */
export const sendMessages = async (deps: SendingDeps): Promise<number> => {
  let tried = 0
  for (;;) {
    const message = await claimMessage(deps.db, deps.clock.now())
    if (!message) return tried
    await sendOne(deps, message)
    tried += 1
  }
}
