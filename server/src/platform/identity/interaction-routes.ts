import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { errors, type Interaction } from 'oidc-provider'
import { formOf, isOwnPost, sendPage, sendTrouble, wordsOfRequest } from './form-posts.ts'
import type { IdentityDeps } from './identity-settings.ts'
import type { LiveProvider } from './provider.ts'
import type { SignIn, SignInStep } from './sign-in.ts'
import { codePage, passwordPage } from './sign-in-pages.ts'
import { type Words, wordsFor } from './words.ts'

interface Parts {
  deps: IdentityDeps
  live: LiveProvider
  signIn: SignIn
}

/** A post or a look at one sign-in, with what every step of it needs. */
interface Visit extends Parts {
  request: FastifyRequest
  reply: FastifyReply
  interaction: Interaction
  words: Words
}

const PATH = '/interaction/:uid'
const STEP_MINUTES = 5

const paramText = (interaction: Interaction, name: string): string | undefined => {
  const value = interaction.params[name]
  return typeof value === 'string' ? value : undefined
}

const isExpired = (error: unknown): boolean => error instanceof errors.SessionNotFound

/** The sign-in of this browser: the provider finds it by its cookie, and the address must name the same one. */
const openVisit = async (parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<Visit> => {
  const provider = await parts.live.get()
  const interaction = await provider.interactionDetails(request.raw, reply.raw)
  if (interaction.uid !== (request.params as { uid: string }).uid) throw new errors.SessionNotFound('another sign-in')
  const words = wordsFor({ uiLocales: paramText(interaction, 'ui_locales'), acceptLanguage: request.headers['accept-language'] })
  return { ...parts, request, reply, interaction, words }
}

const findStep = async ({ deps, interaction }: Visit): Promise<string | undefined> => {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from identity_steps
     where interaction_uid = ${interaction.uid} and expires_at > ${deps.clock.now()}`.execute(deps.db)
  return rows[0]?.accountId
}

const keepStep = async ({ deps, interaction }: Visit, accountId: string) => {
  const expiresAt = new Date(deps.clock.now().getTime() + STEP_MINUTES * 60_000)
  await sql`
    insert into identity_steps (interaction_uid, account_id, expires_at) values (${interaction.uid}, ${accountId}, ${expiresAt})
    on conflict (interaction_uid) do update set account_id = excluded.account_id, expires_at = excluded.expires_at`.execute(deps.db)
}

const dropStep = async ({ deps, interaction }: Visit) => {
  await sql`delete from identity_steps where interaction_uid = ${interaction.uid}`.execute(deps.db)
}

/** Where the forms of this sign-in may lead: to the application whose address the provider has validated. */
const formOrigins = ({ interaction }: Visit): string[] => {
  const target = paramText(interaction, 'redirect_uri')
  return target === undefined ? [] : [new URL(target).origin]
}

const sendPassword = (visit: Visit, state: Omit<Parameters<typeof passwordPage>[0], 'words' | 'sandboxSignIns'>): FastifyReply =>
  sendPage(visit.reply, passwordPage({ ...state, words: visit.words, sandboxSignIns: visit.deps.sandboxSignIns ?? [] }), formOrigins(visit))

const sendCode = (visit: Visit, problem?: 'codeRefused' | 'codeMissing'): FastifyReply =>
  sendPage(visit.reply, codePage(visit.words, problem), formOrigins(visit))

const here = ({ interaction }: Visit): string => `/identity/interaction/${interaction.uid}`

const finish = async (visit: Visit, done: Extract<SignInStep, { kind: 'done' }>): Promise<FastifyReply> => {
  const { request, reply, live, deps } = visit
  await dropStep(visit)
  const provider = await live.get()
  const login = {
    accountId: done.accountId,
    ts: Math.floor(deps.clock.now().getTime() / 1000),
    amr: done.secondFactor ? ['pwd', 'otp'] : ['pwd'],
    acr: done.secondFactor ? 'mfa' : 'pwd',
  }
  const returnTo = await provider.interactionResult(request.raw, reply.raw, { login }, { mergeWithLastSubmission: false })
  return await reply.redirect(returnTo, 303)
}

const passwordStep = async (visit: Visit, given: { email: string; password: string }): Promise<FastifyReply> => {
  const { email, password } = given
  const missing = { email: email.trim() === '', password: password === '' }
  if (missing.email || missing.password) return sendPassword({ ...visit, reply: visit.reply.code(422) }, { email, missing })
  const step = await visit.signIn.password(email, password)
  if (step.kind === 'done') return await finish(visit, step)
  if (step.kind === 'codeNeeded') {
    await keepStep(visit, step.accountId)
    return await visit.reply.redirect(here(visit), 303)
  }
  return sendPassword({ ...visit, reply: visit.reply.code(step.kind === 'noAccess' ? 403 : 401) }, { email, problem: step.kind })
}

const codeStep = async (visit: Visit, accountId: string, code: string): Promise<FastifyReply> => {
  const digits = code.replace(/\s/g, '')
  if (digits === '') return sendCode({ ...visit, reply: visit.reply.code(422) }, 'codeMissing')
  const step = await visit.signIn.code(accountId, digits)
  if (step.kind === 'done') return await finish(visit, step)
  if (step.kind === 'noAccess') {
    await dropStep(visit)
    return sendPassword({ ...visit, reply: visit.reply.code(403) }, { problem: 'noAccess' })
  }
  return sendCode({ ...visit, reply: visit.reply.code(401) }, 'codeRefused')
}

const answerPost = async (visit: Visit): Promise<FastifyReply> => {
  const form = formOf(visit.request)
  const waiting = await findStep(visit)
  if (waiting !== undefined && form.restart !== undefined) {
    await dropStep(visit)
    return await visit.reply.redirect(here(visit), 303)
  }
  if (waiting !== undefined && form.code !== undefined) return await codeStep(visit, waiting, form.code)
  const chosen = form.sandbox === undefined ? undefined : visit.deps.sandboxSignIns?.[Number(form.sandbox)]
  return await passwordStep(visit, chosen ?? { email: form.email ?? '', password: form.password ?? '' })
}

/** The pages of a sign-in: `GET` and `POST /identity/interaction/:uid`, bound to the provider's interaction cookie. */
export const registerInteractionRoutes = (scope: FastifyInstance, parts: Parts): void => {
  const { publicUrl, attemptsPerMinute } = parts.deps.settings
  const guarded = async (request: FastifyRequest, reply: FastifyReply, answer: (visit: Visit) => Promise<FastifyReply>) => {
    try {
      return await answer(await openVisit(parts, request, reply))
    } catch (error) {
      if (!isExpired(error)) throw error
      return sendTrouble(reply, 'expired', { words: wordsOfRequest(request), publicUrl })
    }
  }
  scope.get(PATH, (request, reply) =>
    guarded(request, reply, async (visit) =>
      (await findStep(visit)) === undefined ? sendPassword(visit, { email: paramText(visit.interaction, 'login_hint') }) : sendCode(visit),
    ),
  )
  scope.post(PATH, { config: { rateLimit: { max: attemptsPerMinute, timeWindow: 60_000 } } }, (request, reply) => {
    if (!isOwnPost(request, publicUrl)) return sendTrouble(reply, 'foreign', { words: wordsOfRequest(request), publicUrl })
    return guarded(request, reply, answerPost)
  })
}
