import { randomUUID } from 'node:crypto'
import { hashDocument } from '../kit/hash-document.ts'
import { documentChanges, personDocument } from '../kit/person-document.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AccountDocument, AppliedAccount, Call, RemoteAccount, Target, TargetProperties, TargetSecrets } from '../kit/target.ts'
import type { Deliveries, DeliveryJournal, EventType, Message } from './delivery-journal.ts'
import { wordsOf } from './webhook-answers.ts'
import { type ClientOptions, createWebhookClient } from './webhook-client.ts'
import { readWebhookSettings } from './webhook-settings.ts'

export interface WebhookOptions extends Partial<ClientOptions> {
  readonly journal: DeliveryJournal
}

const same = (a: unknown, b: unknown): boolean => hashDocument(a) === hashDocument(b)

/** What an event is called, by what the receiver took last. */
const typeOf = (taken: AccountDocument | null, wanted: AccountDocument | null): EventType => {
  if (!wanted) return 'account.deleted'
  if (!taken) return wanted.active === false ? 'account.disabled' : 'account.created'
  if (taken.active === wanted.active) return 'account.updated'
  return wanted.active === false ? 'account.disabled' : 'account.enabled'
}

const newId = (): string => `msg_${randomUUID().replaceAll('-', '')}`

/** The next event of a person, saying what is wanted and how it differs from what the receiver took last. */
const compose = (userId: string, wanted: AccountDocument | null, { known, at }: { known: Deliveries | undefined; at: Date }): Message => {
  const sequence = (known?.sequence ?? 0) + 1
  // after an end that may have arrived, the account may be new to the receiver
  const taken = known?.underWay?.document === null ? null : (known?.document ?? null)
  const type = typeOf(taken, wanted)
  const changes = taken && wanted ? documentChanges(taken, wanted) : []
  const data = { userId, sequence, previousSequence: known?.acknowledged ?? 0, account: wanted, changes }
  return { id: newId(), sequence, type, document: wanted, body: JSON.stringify({ type, timestamp: at.toISOString(), data }) }
}

/** Whether the receiver may know of the account. */
const isKnown = (known: Deliveries | undefined): known is Deliveries => Boolean(known?.document ?? known?.underWay)

const gone = (userId: string): ConnectorError =>
  new ConnectorError({ code: 'TARGET_GONE', detail: `nothing was told of ${userId}`, retryable: false })

/**
 * A receiver of signed events for people. An account is known by the person's own id. Delivered at least once: an event is written down before it is
 * sent and stays the same, id and body, until the receiver took it or a newer state of the person replaced it. Properties and secrets as in
 * `webhookDefinition`. Makes no request by itself. Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED when the settings cannot be used.
 */
export const createWebhookTarget = (properties: TargetProperties, secrets: TargetSecrets, options: WebhookOptions): Target => {
  const { journal, allowPrivate = false, now = () => new Date() } = options
  const settings = readWebhookSettings(properties, secrets, { allowPrivate })
  const client = createWebhookClient(settings, { ...options, allowPrivate, now })

  const messageFor = async (userId: string, wanted: AccountDocument | null, known: Deliveries | undefined): Promise<Message> => {
    const begun = known?.underWay
    if (begun && same(begun.document, wanted)) return begun
    const message = compose(userId, wanted, { known, at: now() })
    if (await journal.begin(userId, message, known?.sequence ?? 0)) return message
    throw new ConnectorError({ code: 'TARGET_UNCERTAIN', retryable: true, detail: 'another event of this person was begun meanwhile' })
  }
  const deliver = async (userId: string, wanted: AccountDocument | null, call: Call & { known: Deliveries | undefined }) => {
    const { known, signal } = call
    if (signal?.aborted) throw new ConnectorError({ code: 'TARGET_ABORTED', retryable: true })
    const applied: AppliedAccount = { remoteId: userId, etag: null }
    // while an event is under way nobody knows what the receiver holds, so even what it took last is told again
    if (known && !known.underWay && same(known.document, wanted)) return applied
    const message = await messageFor(userId, wanted, known)
    await client.post(message, signal)
    await journal.acknowledge(userId, message)
    return applied
  }
  const idOf = (document: AccountDocument): string => String(document.id ?? '')

  return {
    documentOf: personDocument,
    check: async (call = {}) => {
      const begun = performance.now()
      const body = JSON.stringify({ type: 'test', timestamp: now().toISOString(), data: { message: 'A test event from Instep' } })
      const reply = await client.post({ id: newId(), body }, call.signal)
      const said = wordsOf(reply.text)
      return { detail: `${reply.status}, ${Math.round(performance.now() - begun)} ms${said ? `: ${said}` : ''}` }
    },
    find: async (document) => {
      const known = await journal.read(idOf(document))
      const remoteId = idOf(document)
      if (known?.document) return { remoteId, etag: null, document: known.document } satisfies RemoteAccount
      // an account that may have been told of has to be switched off, one that is wanted is told of again as it is
      return known?.underWay?.document && document.active === false ? { remoteId, etag: null, document: {} } : undefined
    },
    create: async (document, call = {}) => {
      const known = await journal.read(idOf(document))
      if (known?.document && !call.signal?.aborted)
        throw new ConnectorError({ code: 'TARGET_EXISTS', detail: 'the receiver knows this account already' })
      return deliver(idOf(document), document, { ...call, known })
    },
    update: async (remoteId, document, call = {}) => {
      const known = await journal.read(remoteId)
      if (!isKnown(known)) throw gone(remoteId)
      return deliver(remoteId, document, { ...call, known })
    },
    deactivate: async (remoteId, call = {}) => {
      const known = await journal.read(remoteId)
      if (!isKnown(known)) throw gone(remoteId)
      const last = known.document ?? known.underWay?.document ?? call.before ?? { id: remoteId }
      return deliver(remoteId, { ...last, active: false }, { ...call, known })
    },
    delete: async (remoteId, call = {}) => {
      const known = await journal.read(remoteId)
      if (isKnown(known)) await deliver(remoteId, null, { ...call, known })
    },
    list: async () => {
      throw new ConnectorError({ code: 'TARGET_UNSUPPORTED', detail: 'a receiver of events cannot be asked what it holds' })
    },
    close: () => client.close(),
  }
}
