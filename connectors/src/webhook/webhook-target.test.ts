import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Target, TargetUser } from '../kit/target.ts'
import { describeTarget } from '../kit/target-contract.ts'
import { memoryJournal } from './testing/memory-journal.ts'
import { type Fault, startWebhookReceiver, type WebhookReceiver } from './testing/webhook-receiver.ts'
import { wordsOf } from './webhook-answers.ts'
import { newWebhookSecret, readWebhookSecret, signWebhook } from './webhook-signature.ts'
import { createWebhookTarget, type WebhookOptions } from './webhook-target.ts'

describeTarget('a webhook', async () => {
  const receiver = await startWebhookReceiver()
  const target = createWebhookTarget(
    { endpoint: receiver.url },
    { secret: receiver.secret },
    { journal: memoryJournal(), allowPrivate: true },
  )
  const close = async () => {
    await target.close()
    await receiver.close()
  }
  return { target, count: () => receiver.accounts.size, close, lists: false }
})

const USER_ID = '01900000-0000-7000-8000-000000000001'
const person = (fields: TargetUser['fields'] = {}, active = true): TargetUser => ({
  userId: USER_ID,
  active,
  fields: { externalId: 'E1', givenName: 'Ana', familyName: 'Silva', title: 'Clerk', ...fields },
})

const answer =
  (status: number, text = '', headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(text)
const takeThen =
  (then: Fault): Fault =>
  (response, take) => {
    take()
    then(response, () => {})
  }

it('shows of a reply only what a database can keep', () => {
  expect(wordsOf('No\0 way \ud83d')).toBe('No way \ufffd')
})

describe('a webhook target', () => {
  let receiver: WebhookReceiver
  let journal: ReturnType<typeof memoryJournal>
  let target: Target
  let now = new Date()
  const open = (properties: object = {}, secrets: Record<string, string> = {}, options: Partial<WebhookOptions> = {}) =>
    createWebhookTarget(
      { endpoint: receiver.url, ...properties },
      { secret: receiver.secret, ...secrets },
      { journal, allowPrivate: true, now: () => now, timeoutMs: 500, ...options },
    )
  const create = (user = person()) => target.create(target.documentOf(user))
  const update = (user: TargetUser) => target.update(USER_ID, target.documentOf(user))

  beforeEach(async () => {
    now = new Date('2026-03-01T12:00:00.700Z')
    receiver = await startWebhookReceiver()
    journal = memoryJournal()
    target = open()
  })
  afterEach(async () => {
    await target.close()
    await receiver.close()
  })

  it.each([
    ['an address that is none', { endpoint: 'mailto:a@example.com' }, 'TARGET_SETTINGS_INVALID'],
    ['plain HTTP to elsewhere', { endpoint: 'http://hooks.example.com/in' }, 'TARGET_ADDRESS_REFUSED'],
    ['a password in the address', { endpoint: 'https://a:b@hooks.example.com/in' }, 'TARGET_ADDRESS_REFUSED'],
    ['a metadata service', { endpoint: 'https://169.254.169.254/latest' }, 'TARGET_ADDRESS_REFUSED'],
  ])('refuses %s', (_, properties, code) => {
    const params = expect.objectContaining({ property: 'endpoint' })
    expect(() => open(properties)).toThrow(expect.objectContaining({ code, params }))
  })

  it.each(['https://10.0.0.5/in', 'https://127.0.0.1/in', 'https://localhost/in', 'https://[::1]/in'])(
    'does not send to %s where the operator keeps its own network to itself',
    (url) => {
      expect(() => open({ endpoint: url }, {}, { allowPrivate: false })).toThrow(
        expect.objectContaining({ code: 'TARGET_ADDRESS_REFUSED' }),
      )
    },
  )

  it.each(['', 'secret', 'whsec_', `whsec_${Buffer.alloc(23).toString('base64')}`, `whsec_${Buffer.alloc(65).toString('base64')}`])(
    'refuses the secret "%s"',
    (secret) => {
      expect(() => open({}, { secret })).toThrow(
        expect.objectContaining({ code: 'TARGET_SETTINGS_INVALID', params: { property: 'secret' } }),
      )
    },
  )

  it('tells of an account from its beginning to its end, in order, signed, with what changed', async () => {
    await create()
    await update(person({ title: 'Baker', department: 'Bakery' }))
    await update(person({ title: 'Baker', department: 'Bakery' }, false))
    await update(person({ title: 'Baker' }))
    await target.delete(USER_ID)
    expect(receiver.attempts.map(({ body, valid }) => [body.data.sequence, body.data.previousSequence, body.type, valid])).toEqual([
      [1, 0, 'account.created', 1],
      [2, 1, 'account.updated', 1],
      [3, 2, 'account.disabled', 1],
      [4, 3, 'account.enabled', 1],
      [5, 4, 'account.deleted', 1],
    ])
    const [created, updated, disabled, enabled, deleted] = receiver.attempts.map(({ body }) => body)
    expect(created).toEqual({
      type: 'account.created',
      timestamp: '2026-03-01T12:00:00.700Z',
      data: {
        userId: USER_ID,
        sequence: 1,
        previousSequence: 0,
        account: { id: USER_ID, active: true, externalId: 'E1', givenName: 'Ana', familyName: 'Silva', title: 'Clerk' },
        changes: [],
      },
    })
    expect(updated?.data.changes).toEqual([
      { field: 'title', before: 'Clerk', after: 'Baker' },
      { field: 'department', before: null, after: 'Bakery' },
    ])
    expect(disabled?.data.changes).toEqual([{ field: 'active', before: true, after: false }])
    expect(enabled?.data.changes).toContainEqual({ field: 'department', before: 'Bakery', after: null })
    expect(deleted?.data).toMatchObject({ account: null, changes: [] })
  })

  it('signs id, second of the attempt and body as the specification says', async () => {
    await create()
    expect(receiver.attempts[0]).toMatchObject({ id: expect.stringMatching(/^msg_[0-9a-f]{32}$/), timestamp: 1_772_366_400, valid: 1 })
    // the example of the reference libraries
    const key = readWebhookSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') ?? Buffer.alloc(0)
    const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
    expect(signWebhook([key], signed)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    expect(signWebhook([key, key], signed).split(' ')).toHaveLength(2)
    expect(readWebhookSecret(newWebhookSecret())).toHaveLength(32)
  })

  it('signs with both secrets until the day is over, then with the new one alone', async () => {
    const previousSecret = receiver.secret
    const secret = newWebhookSecret()
    await target.close()
    target = open({ previousSecretUntil: '2026-03-01' }, { secret, previousSecret })
    await create()
    expect(receiver.attempts.at(-1)).toMatchObject({ signatures: 2, valid: 1 })
    now = new Date('2026-03-02T00:00:00Z')
    await expect(update(person({ title: 'Baker' }))).rejects.toMatchObject({ code: 'TARGET_UNAUTHORISED', retryable: true })
    expect(receiver.attempts.at(-1)).toMatchObject({ signatures: 1, valid: 0 })
    receiver.secret = secret
    await update(person({ title: 'Baker' }))
    expect(receiver.attempts.at(-1)).toMatchObject({ signatures: 1, valid: 1 })
  })

  it.each([
    ['too many', answer(429, '', { 'retry-after': '7' }), { code: 'TARGET_THROTTLED', retryable: true, retryAfterSeconds: 7 }],
    ['not now', answer(503), { code: 'TARGET_UNAVAILABLE', retryable: true }],
    ['gone', answer(410), { code: 'TARGET_UNAVAILABLE', retryable: true, retryAfterSeconds: 3600 }],
    ['a fault', answer(500, 'oh no'), { code: 'TARGET_UNCERTAIN', retryable: true, params: { status: 500, message: 'oh no' } }],
    ['a bad signature', answer(401), { code: 'TARGET_UNAUTHORISED', retryable: true }],
    ['a bad request', answer(400), { code: 'TARGET_UNEXPECTED', retryable: true }],
    ['no such page', answer(404), { code: 'TARGET_UNEXPECTED', retryable: true }],
    ['a redirect', answer(302, '', { location: 'http://127.0.0.1:1/elsewhere' }), { code: 'TARGET_UNEXPECTED', retryable: true }],
    ['a refusal of this person', answer(422, 'no such department'), { code: 'TARGET_REFUSED', retryable: false }],
    ['a cut connection', takeThen((response) => void response.destroy()), { code: 'TARGET_UNCERTAIN', retryable: true }],
    ['silence', takeThen(() => {}), { code: 'TARGET_UNCERTAIN', retryable: true }],
  ] as const)('understands %s, and sends the same event again under the same id', async (_, fault, problem) => {
    receiver.misbehave(fault)
    await expect(create()).rejects.toMatchObject(problem)
    now = new Date('2026-03-01T12:05:00Z')
    await create()
    const [first, second] = receiver.attempts
    expect(receiver.attempts).toHaveLength(2)
    expect(second).toMatchObject({ id: first?.id, body: first?.body, valid: 1, timestamp: Number(first?.timestamp) + 300 })
    expect(receiver.accounts.size).toBe(1)
  })

  it('never says an earlier state after a later one, and says what was taken last', async () => {
    await create()
    receiver.misbehave(answer(500))
    await expect(update(person({ title: 'Baker' }))).rejects.toMatchObject({ code: 'TARGET_UNCERTAIN' })
    await update(person({ title: 'Cook' }))
    const told = receiver.attempts.map(({ body: { data } }) => [data.sequence, data.previousSequence, data.account?.title])
    expect(told).toEqual([
      [1, 0, 'Clerk'],
      [2, 1, 'Baker'],
      [3, 1, 'Cook'],
    ])
    expect(receiver.attempts[2]?.body.data.changes).toEqual([{ field: 'title', before: 'Clerk', after: 'Cook' }])
    expect(receiver.attempts[1]?.id).not.toBe(receiver.attempts[2]?.id)
  })

  it('tells again what the receiver took last where something else may have arrived since', async () => {
    await create()
    receiver.misbehave(takeThen((response) => void response.destroy()))
    await expect(update(person({ title: 'Baker' }))).rejects.toMatchObject({ code: 'TARGET_UNCERTAIN' })
    await update(person())
    expect(receiver.accounts.get(USER_ID)).toMatchObject({ title: 'Clerk' })
    await update(person())
    expect(receiver.attempts).toHaveLength(3)
  })

  it('switches off whoever left before it was known whether the account was told of', async () => {
    receiver.misbehave(takeThen((response) => void response.destroy()))
    await expect(create()).rejects.toMatchObject({ code: 'TARGET_UNCERTAIN' })
    const left = target.documentOf(person({}, false))
    expect(await target.find(target.documentOf(person()))).toBeUndefined()
    const found = await target.find(left)
    expect(found).toMatchObject({ remoteId: USER_ID })
    await target.update(USER_ID, left, { before: found?.document })
    expect(receiver.accounts.get(USER_ID)).toMatchObject({ active: false })
  })

  it('calls an account new after an end that may have arrived', async () => {
    await create()
    receiver.misbehave(takeThen((response) => void response.destroy()))
    await expect(target.delete(USER_ID)).rejects.toMatchObject({ code: 'TARGET_UNCERTAIN' })
    await update(person())
    expect(receiver.attempts.at(-1)?.body.type).toBe('account.created')
    expect(receiver.accounts.size).toBe(1)
  })

  it('leaves an event to whoever began a later one', async () => {
    await create()
    const known = journal.rows.get(USER_ID)
    if (known) journal.rows.set(USER_ID, { ...known, sequence: 9 })
    journal.read = async () => known
    await expect(update(person({ title: 'Baker' }))).rejects.toMatchObject({ code: 'TARGET_UNCERTAIN' })
    expect(receiver.attempts).toHaveLength(1)
  })

  it('knows that nothing was sent when nobody listens', async () => {
    await receiver.close()
    await expect(create()).rejects.toMatchObject({ code: 'TARGET_UNREACHABLE', params: { reason: 'refused' }, retryable: true })
  })

  it('tests with a signed event that is about nobody, and repeats what the receiver says', async () => {
    expect((await target.check()).detail).toMatch(/^200, \d+ ms: thank you$/)
    expect(receiver.attempts).toMatchObject([{ valid: 1, body: { type: 'test' } }])
    expect([receiver.accounts.size, journal.rows.size]).toEqual([0, 0])
    receiver.misbehave(answer(418, 'a\nteapot'))
    await expect(target.check()).rejects.toMatchObject({ detail: expect.stringMatching(/418 a teapot$/) })
  })

  it('says nothing secret', async () => {
    receiver.misbehave(answer(500, 'no'))
    const error = await create().catch((problem: unknown) => problem)
    expect(JSON.stringify(error) + String(error)).not.toMatch(/whsec_|of=tests/)
  })
})
