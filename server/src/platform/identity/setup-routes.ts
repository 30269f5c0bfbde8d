import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formOf, isOwnPost, sendPage, sendTrouble, wordsOfRequest } from './form-posts.ts'
import { html } from './html.ts'
import type { IdentityDeps } from './identity-settings.ts'
import { backLink, renderField, renderPage } from './page.ts'
import { PASSWORD_MAX, PASSWORD_MIN, type PasswordProblem, passwordProblem } from './password-policy.ts'
import { findSetupLink, redeemSetupLink } from './setup-links.ts'
import { fill, type Words } from './words.ts'

const PATH = '/setup/:token'
const LIMITS = { min: PASSWORD_MIN, max: PASSWORD_MAX }

const setupPage = (words: Words, email: string, problem?: PasswordProblem | 'mismatch'): string => {
  const said = problem === undefined ? undefined : fill(words.problems[problem], LIMITS)
  return renderPage({
    words,
    heading: words.setup.heading,
    intro: fill(words.setup.intro, { email }),
    problem: said === undefined ? undefined : words.problems.heading,
    body: html`<form class="main" method="post">
<input type="hidden" name="username" autocomplete="username" value="${email}">
${renderField({
  name: 'password',
  label: words.setup.password,
  type: 'password',
  autocomplete: 'new-password',
  hint: fill(words.setup.hint, LIMITS),
  autofocus: true,
  problem: problem === 'mismatch' ? undefined : said,
})}
${renderField({ name: 'repeat', label: words.setup.repeat, type: 'password', autocomplete: 'new-password', problem: problem === 'mismatch' ? said : undefined })}
<button class="primary" type="submit">${words.setup.submit}</button>
</form>`,
  })
}

const donePage = (words: Words, publicUrl: string): string =>
  renderPage({ words, heading: words.setup.doneHeading, intro: words.setup.done, body: backLink(words, publicUrl) })

const tokenOf = (request: FastifyRequest): string => (request.params as { token: string }).token

const answerSetup = async (deps: IdentityDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const { db, clock, settings } = deps
  const { publicUrl } = settings
  const words = wordsOfRequest(request)
  if (!isOwnPost(request, publicUrl)) return sendTrouble(reply, 'foreign', { words, publicUrl })
  const link = await findSetupLink(db, tokenOf(request), clock.now())
  if (link === undefined) return sendTrouble(reply, 'link', { words, publicUrl })
  const { password = '', repeat = '' } = formOf(request)
  const problem = passwordProblem(password, [link.name, link.email]) ?? (password === repeat ? undefined : 'mismatch')
  if (problem !== undefined) return sendPage(reply.code(422), setupPage(words, link.email, problem))
  const used = await redeemSetupLink(db, { token: tokenOf(request), password }, clock.now())
  return used ? sendPage(reply, donePage(words, publicUrl)) : sendTrouble(reply, 'link', { words, publicUrl })
}

/** The page behind a one-time link: `GET` and `POST /identity/setup/:token`. */
export const registerSetupRoutes = (scope: FastifyInstance, deps: IdentityDeps): void => {
  const { publicUrl, attemptsPerMinute } = deps.settings
  const limited = { config: { rateLimit: { max: attemptsPerMinute, timeWindow: 60_000 } } }
  scope.get(PATH, limited, async (request, reply) => {
    const words = wordsOfRequest(request)
    const link = await findSetupLink(deps.db, tokenOf(request), deps.clock.now())
    return link === undefined ? sendTrouble(reply, 'link', { words, publicUrl }) : sendPage(reply, setupPage(words, link.email))
  })
  scope.post(PATH, limited, (request, reply) => answerSetup(deps, request, reply))
}
