import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from './html.ts'
import { backLink, renderPage } from './page.ts'
import { pageSecurity } from './page-security.ts'
import { type Words, wordsFor } from './words.ts'

const FORM_BYTES = 16_384

/** Which page of trouble to show, and with which status. */
const TROUBLES = { expired: 400, foreign: 403, link: 410, tooMany: 429, failed: 500 } as const
export type Trouble = keyof typeof TROUBLES

/** Reads HTML forms; each field once, a repeated one by its first value. */
export const readForms = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    (_request, body, done) => {
      const fields: Record<string, string> = Object.create(null) as Record<string, string>
      for (const [name, value] of new URLSearchParams(body)) fields[name] ??= value
      done(null, fields)
    },
  )
}

/** The fields of a posted form. */
export const formOf = (request: FastifyRequest): Record<string, string | undefined> =>
  (request.body ?? {}) as Record<string, string | undefined>

/**
 * Whether a browser sent this post from one of our own pages. Browsers name the origin of every post; one that hides it
 * must at least say that the page is the same origin.
 */
export const isOwnPost = (request: FastifyRequest, publicUrl: string): boolean => {
  const { origin } = request.headers
  if (origin !== undefined && origin !== 'null') return origin === new URL(publicUrl).origin
  return request.headers['sec-fetch-site'] === 'same-origin'
}

/** The texts for a request without a sign-in to ask. */
export const wordsOfRequest = (request: FastifyRequest): Words => wordsFor({ acceptLanguage: request.headers['accept-language'] })

/** Sends a page with its security headers. */
export const sendPage = (reply: FastifyReply, page: string, formOrigins: readonly string[] = []): FastifyReply =>
  reply.headers(pageSecurity(formOrigins)).type('text/html; charset=utf-8').send(page)

/** Sends a page that says what is wrong and leads back to the product. */
export const sendTrouble = (reply: FastifyReply, trouble: Trouble, context: { words: Words; publicUrl: string }): FastifyReply => {
  const { words, publicUrl } = context
  return sendPage(
    reply.code(TROUBLES[trouble]),
    renderPage({
      words,
      heading: words.errors[`${trouble}Heading`],
      intro: words.errors[trouble],
      body: html`${backLink(words, publicUrl)}`,
    }),
  )
}
