/** Words of messages and how often sending is tried. Pure. */
import english from '@instep/contract/locales/en_GB/messages.json' with { type: 'json' }
import french from '@instep/contract/locales/fr_FR/messages.json' with { type: 'json' }
import type { MessageTemplate } from '@instep/contract/outbox.ts'
import { HeldReason } from '@instep/contract/run-findings.ts'
import { z } from 'zod'

const Counts = z.record(z.string(), z.number())

/** What each template has to be told; a message keeps it, and its words are made when it is sent or shown. */
export const MESSAGE_PARAMS = {
  heldRun: z.object({
    runId: z.string(),
    connector: z.string(),
    file: z.string(),
    held: HeldReason,
    /** Reasons beside the gravest. */
    others: z.number(),
    counts: Counts,
  }),
  heldDates: z.object({ connectorId: z.string(), connector: z.string(), count: z.number() }),
  silentSource: z.object({ connectorId: z.string(), connector: z.string(), since: z.string(), hours: z.number() }),
} as const satisfies Record<MessageTemplate, z.ZodType>
export type MessageParams = { [Template in MessageTemplate]: z.infer<(typeof MESSAGE_PARAMS)[Template]> }

/** A message as it is kept. */
export interface Told {
  readonly template: MessageTemplate
  readonly params: unknown
  readonly locale: string
  readonly recipientName: string
  readonly tenantName: string
}

export interface MessageWords {
  readonly subject: string
  /** Paragraphs of plain text, without the link. */
  readonly paragraphs: readonly string[]
  /** What is to be done, as the link says it. */
  readonly act: string
  /** Where that is, from the console's root. */
  readonly link: string
}

type Values = Readonly<Record<string, unknown>>
type Say = (key: string, values?: Values, count?: number) => string

const LANGUAGES: Readonly<Record<string, { tag: string; words: unknown }>> = {
  en_GB: { tag: 'en-GB', words: english },
  fr_FR: { tag: 'fr-FR', words: french },
}
const ENGLISH = { tag: 'en-GB', words: english as unknown }

const lookUp = (words: unknown, key: string): string | undefined => {
  const found = key.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], words)
  return typeof found === 'string' ? found : undefined
}

/** Says a sentence of a locale; en_GB where it has none. A count chooses the form. */
const sayIn = (locale: string): { say: Say; tag: string } => {
  const language = LANGUAGES[locale] ?? ENGLISH
  const plural = new Intl.PluralRules(language.tag)
  const say: Say = (key, values = {}, count) => {
    const forms = count === undefined ? [key] : [`${key}_${plural.select(count)}`, `${key}_other`, key]
    const found = forms.map((form) => lookUp(language.words, form) ?? lookUp(english, form)).find((text) => text !== undefined)
    return (found ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
  return { say, tag: language.tag }
}

const heldSentence = (say: Say, { code, params }: HeldReason): string => {
  const count = Number(params['count'] ?? params['deactivations'] ?? 0)
  if (code !== 'overLimit') return say(`held.${code}`, params, count)
  const sentence = say(`held.over.${params['kind']}.${params['window']}`, { ...params, amount: count }, count)
  return 'site' in params ? say('held.over.atSite', { site: params['site'], sentence }) : sentence
}

const KINDS = ['create', 'update', 'future', 'leave', 'reactivate', 'deactivate', 'conflict', 'invalid']

const countsSentence = (say: Say, tag: string, counts: Readonly<Record<string, number>>): string => {
  const number = new Intl.NumberFormat(tag)
  const parts = KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0
    return count > 0 ? [say(`kinds.${kind}`, { amount: number.format(count) }, count)] : []
  })
  const all = new Intl.ListFormat(tag, { type: 'conjunction' }).format(parts)
  return parts.length > 0 ? say('heldRun.counts', { counts: all }) : say('heldRun.noCounts')
}

type Body = Omit<MessageWords, 'act'>

const BODIES: { [Template in MessageTemplate]: (params: MessageParams[Template], say: Say, tag: string) => Body } = {
  heldRun: ({ runId, connector, file, held, others, counts }, say, tag) => ({
    subject: say('heldRun.subject', { connector }),
    paragraphs: [
      say('heldRun.intro', { file, connector }),
      heldSentence(say, held),
      ...(others > 0 ? [say('heldRun.others', { amount: others }, others)] : []),
      countsSentence(say, tag, counts),
    ],
    link: `/runs/${encodeURIComponent(runId)}`,
  }),
  heldDates: ({ connector, count }, say, tag) => ({
    subject: say('heldDates.subject', { connector }),
    paragraphs: [say('heldDates.intro', { connector, amount: new Intl.NumberFormat(tag).format(count) }, count)],
    link: '/',
  }),
  silentSource: ({ connectorId, connector, since, hours }, say, tag) => ({
    subject: say('silentSource.subject', { connector, hours }),
    paragraphs: [
      say('silentSource.intro', {
        connector,
        since: new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(since)),
      }),
      say('silentSource.effect'),
    ],
    link: `/connectors/${encodeURIComponent(connectorId)}`,
  }),
}

const bodyOf = <Template extends MessageTemplate>(template: Template, params: unknown, { say, tag }: { say: Say; tag: string }): Body =>
  BODIES[template](MESSAGE_PARAMS[template].parse(params) as MessageParams[Template], say, tag)

// a subject is one line
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** A message in the words of its locale. */
export const messageWords = ({ template, params, locale, recipientName, tenantName }: Told): MessageWords => {
  const language = sayIn(locale)
  const { subject, paragraphs, link } = bodyOf(template, params, language)
  const { say } = language
  return {
    subject: oneLine(subject),
    paragraphs: [say('greeting', { name: recipientName }), ...paragraphs, say('why', { tenant: tenantName })],
    act: say(`${template}.act`),
    link,
  }
}

/** The same as plain text, the link before the last paragraph, which says why one gets it. */
export const messageText = ({ paragraphs, act, link }: MessageWords, publicUrl: string): string =>
  [...paragraphs.slice(0, -1), `${act}: ${publicUrl}${link}`, ...paragraphs.slice(-1)].join('\n\n')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** The same as simple HTML: paragraphs and one link, nothing that is fetched. */
export const messageHtml = (
  { subject, paragraphs, act, link }: MessageWords,
  { publicUrl, lang }: { publicUrl: string; lang: string },
): string => {
  const asParagraph = (text: string): string => `<p>${escaped(text)}</p>`
  const lines = [
    ...paragraphs.slice(0, -1).map(asParagraph),
    `<p><a href="${escaped(`${publicUrl}${link}`)}">${escaped(act)}</a></p>`,
    ...paragraphs.slice(-1).map(asParagraph),
  ]
  return `<!doctype html><html lang="${escaped(lang)}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body>${lines.join('')}</body></html>`
}

/** A message is tried so often. */
export const MOST_ATTEMPTS = 8
const MINUTE = 60_000
const WAITS = [2, 5, 15, 60, 240, 720, 1440]

/**
 * When a message is tried next whose attempt of this number (from 1) begins now; also the end of that attempt's claim, so that somebody else takes
 * over when whoever began it dies.
 */
export const nextTry = (attempt: number, now: Date): Date =>
  new Date(now.getTime() + (WAITS[Math.min(attempt, WAITS.length) - 1] ?? 1440) * MINUTE)
