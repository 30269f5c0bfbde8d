import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFetchingSource } from '../kit/testing/fetching-source-contract.ts'
import { createSftpSource, type SftpOptions } from './sftp-source.ts'
import { csvOfPeople, filesIn } from './testing/held-file.ts'
import { type SftpStandIn, startSftpStandIn } from './testing/sftp-stand-in.ts'

const signal = new AbortController().signal
const OPTIONS: SftpOptions = {
  allowPrivate: true,
  hostKey: undefined,
  stableSeconds: 1,
  pause: async () => {},
  timeoutMilliseconds: 5000,
}

const sftp = (properties: Record<string, unknown>, secrets: Record<string, string>, options: Partial<SftpOptions> = {}) =>
  createSftpSource(
    { properties: { delivery: 'sftp', host: '127.0.0.1', username: 'hr', ...properties }, secrets },
    { ...OPTIONS, ...options },
  )

describeFetchingSource('SFTP', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'instep-sftp-'))
  mkdirSync(path.join(root, 'out'))
  const put = filesIn(path.join(root, 'out'))
  const server = await startSftpStandIn(root, { username: 'hr', password: 'right' })
  const place = { port: server.port, folder: '/out' }
  const archive = path.join(root, 'out/archive')
  return {
    hold: async (people) => put(csvOfPeople(people)),
    open: () => sftp(place, { password: 'right' }, { hostKey: server.hostKey }),
    openWithWrongCredentials: () => sftp(place, { password: 'wrong' }, { hostKey: server.hostKey }),
    openUnreachable: () => sftp({ port: 9 }, { password: 'right' }),
    cutNext: server.cutNext,
    archived: async () => (existsSync(archive) ? readdirSync(archive) : []),
    close: async () => {
      await server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
})

describe('a folder over SFTP', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'instep-sftp-'))
  const { privateKey: pem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' },
  })
  let server: SftpStandIn
  let other: SftpStandIn
  beforeAll(async () => {
    const key = ssh2.utils.parseKey(pem, 'open sesame')
    if (key instanceof Error) throw key
    const publicKey = `${key.type} ${key.getPublicSSH().toString('base64')}`
    server = await startSftpStandIn(root, { username: 'hr', password: 'right', publicKey })
    other = await startSftpStandIn(root, { username: 'hr', password: 'right' })
    filesIn(root)('id,name\nA,a\n')
  })
  afterAll(async () => {
    await Promise.all([server.close(), other.close()])
    rmSync(root, { recursive: true, force: true })
  })
  const test = async (source: ReturnType<typeof sftp>) => {
    try {
      return await source.test(signal)
    } finally {
      await source.close()
    }
  }
  const password = { password: 'right' }

  it('is refused inside the own network unless that is allowed, and with settings that make no sense', () => {
    expect(() => sftp({ host: '10.0.0.1' }, password, { allowPrivate: false })).toThrowError(/SOURCE_ADDRESS_REFUSED/)
    expect(() => sftp({ host: 'localhost' }, password, { allowPrivate: false })).toThrowError(/SOURCE_ADDRESS_REFUSED/)
    expect(() => sftp({ host: 'a host' }, password)).toThrowError(/SOURCE_SETTINGS_INVALID/)
    expect(() => sftp({ port: 70_000 }, password)).toThrowError(/SOURCE_SETTINGS_INVALID/)
    expect(() => sftp({}, {})).toThrowError(/SOURCE_SETTINGS_INVALID/)
    expect(() => sftp({ signIn: 'key' }, password)).toThrowError(/SOURCE_SETTINGS_INVALID/)
  })

  it('shows the key of the server in a test, keeps to it, and refuses another before anything secret is sent', async () => {
    const { port } = server
    const unknown = await test(sftp({ port }, password)).catch((error: unknown) => error)
    expect(unknown).toMatchObject({ code: 'SOURCE_HOST_KEY_UNKNOWN', params: { found: server.hostKey, host: '127.0.0.1' } })
    const { hostKey } = server
    expect(hostKey).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
    expect(await test(sftp({ port }, password, { hostKey }))).toMatchObject({ found: { name: 'people.csv', size: 12 }, hostKey })
    const changed = { code: 'SOURCE_HOST_KEY_CHANGED', params: { expected: hostKey } }
    await expect(test(sftp({ port: other.port }, password, { hostKey }))).rejects.toMatchObject(changed)
    expect([server.passwords.length, other.passwords.length]).toEqual([1, 0])
  })

  it('is opened by a private key with its passphrase, and not without', async () => {
    const settings = { port: server.port, signIn: 'key' }
    const opened = await test(sftp(settings, { privateKey: pem, passphrase: 'open sesame' }, { hostKey: server.hostKey }))
    expect(opened.found?.name).toBe('people.csv')
    const wrong = sftp(settings, { privateKey: pem, passphrase: 'wrong' }, { hostKey: server.hostKey })
    await expect(test(wrong)).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORISED' })
  })

  it('that is not there is said so, and links in it are left alone', async () => {
    const nowhere = sftp({ port: server.port, folder: '/nowhere' }, password, { hostKey: server.hostKey })
    await expect(test(nowhere)).rejects.toMatchObject({ code: 'SOURCE_FOLDER_MISSING', params: { folder: '/nowhere' } })
    symlinkSync('/etc/passwd', path.join(root, 'linked.csv'))
    const found = await test(sftp({ port: server.port, pattern: 'linked*' }, password, { hostKey: server.hostKey }))
    expect(found.found).toBeNull()
  })

  it('ends by the signal in the middle of a connection', async () => {
    const controller = new AbortController()
    const source = sftp({ port: server.port }, password, {
      hostKey: server.hostKey,
      pause: async () => controller.abort(new Error('enough')),
    })
    const request = { path: path.join(root, 'never'), watermark: null, limit: 1000, now: new Date(), signal: controller.signal }
    await expect(source.fetch(request)).rejects.toThrowError('enough')
    await source.close()
  })
})
