import { getMessage, listMessages } from '@instep/contract/outbox.ts'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { createSendMail, MailRefused, type SendMail } from './mail.ts'
import { type MessageParams, MOST_ATTEMPTS, messageHtml, messageText, messageWords, nextTry } from './message.rules.ts'
import { claimMessage, endMessage, failAttempt } from './outbox.store.ts'
import { sendMessages } from './send-messages.ts'
import { tellAdmins } from './tell-admins.ts'

/** A mail server in this process that keeps what it takes, and refuses what it is told to. */
const mailServer = async () => {
  const taken: { from: string; to: string[]; data: string }[] = []
  const refusing: { code?: number; at?: 'recipient' | 'data' } = {}
  const refusal = () => Object.assign(new Error('Not today'), { responseCode: refusing.code ?? 550 })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => (refusing.at === 'recipient' ? done(refusal()) : done()),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusing.at === 'data') return done(refusal())
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        taken.push({ from, to: rcptTo.map(({ address }) => address), data: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { taken, refusing, url: `smtp://127.0.0.1:${port}`, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

let app: TestApp
let mail: Awaited<ReturnType<typeof mailServer>>
let tenantId: string
let now = new Date('2026-11-21T10:00:00Z')
const clock = { now: () => now }
beforeAll(async () => {
  app = await testApp({ clock })
  tenantId = app.world.one.id
})
afterAll(() => app.close())
beforeEach(async () => {
  now = new Date('2026-11-21T10:00:00Z')
  mail = await mailServer()
  await sql`delete from messages`.execute(app.database.db)
})
afterEach(() => mail.close())

const HELD: MessageParams['heldRun'] = {
  runId: 'r-1',
  connector: 'HR & <b>Co</b>',
  file: 'people.csv',
  held: { code: 'massDeactivation', params: { deactivations: 12, active: 40, percent: 30, recent: 0 } },
  others: 1,
  counts: { deactivate: 12, create: 1, unchanged: 27 },
}
const tell = (occasion = 'r-1', of = tenantId) =>
  app.database.db
    .transaction()
    .execute((tx) => tellAdmins(tx, { tenantId: of, template: 'heldRun', params: HELD, occasion, correlationId: 'c-1', at: now }))
const FROM = 'Instep <instep@x.example>'
const send = (by: SendMail | undefined = createSendMail({ url: mail.url, from: FROM })) =>
  sendMessages({ db: app.database.db, clock, send: by, publicUrl: 'https://instep.example' })
const messages = async () =>
  (
    await sql<{ state: string; attempts: number; last_error: string | null; address: string; next_try_at: Date | null }>`
    select state, attempts, last_error, address, next_try_at from messages order by id`.execute(app.database.db)
  ).rows
const events = async () =>
  (
    await sql<{ type: string }>`select type from events where stream = 'message' and tenant_id = ${tenantId} order by id`.execute(
      app.database.db,
    )
  ).rows.map(({ type }) => type)

describe('a message that cannot be sent', () => {
  it('stays in the outbox where no mail server is set up, and does not go later', async () => {
    await tell()
    await app.app.sendMessages()
    await send()
    expect(mail.taken).toEqual([])
    expect((await messages()).map(({ state }) => state)).toEqual(['kept'])
  })

  it('is tried again while the server says that it may pass, later each time, and given up after the last try', async () => {
    await tell()
    Object.assign(mail.refusing, { at: 'recipient', code: 451 })
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      expect(await send()).toBe(1)
      expect(await send()).toBe(0)
      now = nextTry(attempt, now)
    }
    expect(await messages()).toMatchObject([{ state: 'failed', attempts: MOST_ATTEMPTS, last_error: expect.stringContaining('Not today') }])
    expect(await send()).toBe(0)
  })

  it('is given up at once where the server refuses the recipient for good', async () => {
    await tell()
    mail.refusing.at = 'recipient'
    await send()
    expect(await messages()).toMatchObject([{ state: 'failed', attempts: 1 }])
  })

  it('goes when a server that was away is back', async () => {
    await tell()
    await send(createSendMail({ url: 'smtp://127.0.0.1:1', from: FROM }))
    expect(await messages()).toMatchObject([{ state: 'pending', attempts: 1 }])
    now = nextTry(1, now)
    await send()
    expect(mail.taken.length).toBe(1)
  })

  it('is not handed over without TLS where a password would be readable on the way', async () => {
    const { hostname } = new URL(mail.url.replace('127.0.0.1', '127.0.0.2'))
    const readable = createSendMail({ url: mail.url.replace('smtp://127.0.0.1', `smtp://user:secret@${hostname}`), from: FROM })
    const letter = { messageId: '<a@b>', to: { name: 'A', address: 'a@x.example' }, subject: 's', text: 't', html: 'h' }
    await expect(readable(letter)).rejects.toBeInstanceOf(MailRefused)
    expect(mail.taken).toEqual([])
  })
})

it('a password that the mail server repeats stands in no refusal', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => done(new Error(`no ${password} ${Buffer.from(password ?? '').toString('base64')} here`)),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const signedIn = createSendMail({ url: `smtp://user:h%40rd-secret@127.0.0.1:${port}`, from: FROM })
  const letter = { messageId: '<a@b>', to: { name: 'A', address: 'a@x.example' }, subject: 's', text: 't', html: 'h' }
  await expect(signedIn(letter)).rejects.toThrow(/no \*\*\* \*\*\* here$/)
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

describe('a message', () => {
  it('is written with what it tells of or not at all, and once for an occasion', async () => {
    await app.database.db
      .transaction()
      .execute(async (tx) => {
        await tellAdmins(tx, { tenantId, template: 'heldRun', params: HELD, occasion: 'lost', correlationId: 'c', at: now })
        throw new Error('the hold was not kept')
      })
      .catch(() => undefined)
    expect(await messages()).toEqual([])
    expect([await tell(), await tell()]).toEqual([1, 0])
    expect((await messages()).length).toBe(1)
  })

  it('goes to administrators of the whole tenant who may decide, where none may to all of them, and where there is none above the tenants', async () => {
    const told = async () => (await messages()).map(({ address }) => address)
    await tell()
    expect(await told()).toEqual(['tenant@test.example'])
    await sql`update admins set permissions = 0 where id = ${app.adminIds.tenant}`.execute(app.database.db)
    expect(await tell('r-2')).toBe(1)
    await sql`update admins set permissions = 1023, disabled_at = now() where id = ${app.adminIds.tenant}`.execute(app.database.db)
    expect(await tell('r-3')).toBe(1)
    expect(await told()).toEqual(['tenant@test.example', 'tenant@test.example', 'super@test.example'])
    await sql`update admins set disabled_at = null where id = ${app.adminIds.tenant}`.execute(app.database.db)
  })

  it('arrives with its reason, its figures and a link, as text and as HTML that says nothing else', async () => {
    await tell()
    await send()
    const [{ data = '', to = [], from = '' } = {}] = mail.taken
    expect([to, from]).toEqual([['tenant@test.example'], 'instep@x.example'])
    expect(data).toMatch(/^Message-ID: <[0-9a-f-]{36}@instep\.example>/m)
    expect(data).toMatch(/^Auto-Submitted: auto-generated/m)
    const { text, html } = {
      text: messageText(words(), 'https://i.example'),
      html: messageHtml(words(), { publicUrl: 'https://i.example', lang: 'en' }),
    }
    expect(text).toContain('It would deactivate 12 of 40 active people (30%, with 0 in the last 24 hours)')
    expect(text).toContain('There is one more reason.')
    expect(text).toContain('1 person created and 12 deactivated')
    expect(text).toContain('https://i.example/runs/r-1')
    expect(html).toContain('HR &amp; &lt;b&gt;Co&lt;/b&gt;')
    expect(html).not.toContain('<b>')
    expect(await events()).toEqual(expect.arrayContaining(['message.queued', 'message.sent']))
  })

  it('speaks the language of the tenant', () => {
    const { subject, paragraphs } = words('fr_FR')
    expect(subject).toBe('HR & <b>Co</b> : une exécution est retenue et attend votre décision')
    expect(paragraphs.join(' ')).toContain('L’exécution désactiverait 12 des 40 personnes actives')
    expect(words('de_DE').act).toBe('See the plan and decide')
  })

  it('says one subject on one line, whatever a connector is called', () => {
    expect(words('en_GB', { connector: 'HR\r\nBcc: x@y' }).subject).not.toMatch(/[\r\n]/)
  })

  it('is claimed by one of many who send, and taken over when that one died', async () => {
    await tell()
    const { db } = app.database
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimMessage(db, now)))
    const [claimed] = claims.filter((one) => one !== undefined)
    expect(claims.filter((one) => one !== undefined).length).toBe(1)
    now = nextTry(1, now)
    const again = await claimMessage(db, now)
    expect(again?.id).toBe(claimed?.id)
    // the first, slow to notice, changes nothing any more
    if (claimed) await failAttempt(db, claimed, { at: now, error: 'late', final: true })
    expect(await messages()).toMatchObject([{ state: 'pending', attempts: 2, last_error: null }])
    if (again) await endMessage(db, again, { state: 'sent', at: now, error: null })
    expect(await messages()).toMatchObject([{ state: 'sent', next_try_at: null }])
  })
})

const words = (locale = 'en_GB', change: Partial<MessageParams['heldRun']> = {}) =>
  messageWords({ template: 'heldRun', params: { ...HELD, ...change }, locale, recipientName: 'Tadeo', tenantName: 'One' })

describe('the outbox', () => {
  it('is not for administrators of sites, and not another tenant’s', async () => {
    await tell()
    for (const admin of ['site', 'siteGroup', 'gdpr'] as const)
      expect((await app.call(admin, listMessages, { params: { tenantId } })).status).toBe(403)
    expect((await app.call('otherTenant', listMessages, { params: { tenantId } })).status).toBe(404)
    const { rows } = await sql<{ id: string }>`select id from messages`.execute(app.database.db)
    const ofOther = { tenantId: app.world.two.id, messageId: rows[0]?.id ?? '' }
    expect((await app.call('otherTenant', getMessage, { params: ofOther })).status).toBe(404)
    expect((await app.call('tenant', getMessage, { params: { tenantId, messageId: uuidv7() } })).status).toBe(404)
  })

  it('lists messages newest first in pages, by status, and opens one as its recipient reads it', async () => {
    for (const occasion of ['a', 'b', 'c']) await tell(occasion)
    await send(() => Promise.reject(new MailRefused('no', true)))
    await tell('d')
    const list = (query: object) => app.call('tenant', listMessages, { params: { tenantId }, query: { pageSize: 3, ...query } })
    const { body: first } = await list({})
    const { body: second } = await list({ continuationToken: first.continuationToken })
    expect([...first.data, ...second.data].map(({ status }) => status)).toEqual(['Pending', 'Error', 'Error', 'Error'])
    expect(second.continuationToken).toBe(null)
    expect((await list({ status: 'Pending' })).body.data.length).toBe(1)
    const { body } = await app.call('tenant', getMessage, { params: { tenantId, messageId: first.data[0]?.id ?? '' } })
    expect([body.link, body.text.includes('people.csv')]).toEqual(['/runs/r-1', true])
  })
})
