import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '../kit/fetching-source.ts'
import { describeFetchedPeople, readFetched } from '../kit/testing/fetched-people.ts'
import { TEST_CERTIFICATE } from '../kit/testing/test-certificate.ts'
import { answer, startRestStandIn } from '../rest/testing/rest-stand-in.ts'
import { createLdapSource, type LdapOptions } from './ldap-source.ts'
import { toGeneralizedTime } from './ldap-values.ts'
import { describeSlapd } from './testing/describe-slapd.ts'
import {
  type LdapMisbehaviour,
  type LdapStandIn,
  type StandInEntry,
  type StandInOptions,
  startLdapStandIn,
} from './testing/ldap-stand-in.ts'

const BASE = 'ou=people,dc=example,dc=com'
const NEVER = new AbortController().signal
const oneLine = TEST_CERTIFICATE.replace(/\n/g, '')

const person = (uid: string, attributes: StandInEntry['attributes'] = {}): StandInEntry => ({
  dn: `uid=${uid},${BASE}`,
  attributes: { objectClass: ['person', 'inetOrgPerson'], uid, givenName: 'Zoé', sn: 'O"Neil, Li', ...attributes },
})

const settingsFor = (server: LdapStandIn) => ({
  server: server.url,
  allowPlain: true,
  directory: 'openLdap',
  bindDn: server.bindDn,
  baseDn: BASE,
  resultsPerPage: 2,
})

describeFetchedPeople('ldap', async () => {
  const server = await startLdapStandIn({ tls: 'ldaps' })
  const properties = { ...settingsFor(server), certificateAuthority: oneLine, changeAttribute: 'modifyTimestamp' }
  const open = (url: string, password: string) =>
    createLdapSource({ properties: { ...properties, server: url }, secrets: { password } }, { allowPrivate: true })
  return {
    open: () => open(server.url, server.password),
    openWithWrongCredentials: () => open(server.url, 'not-the-$ecret'),
    openUnreachable: () => open('ldaps://127.0.0.1:9', server.password),
    put: async (id, at) => {
      const entry = person(id, { modifyTimestamp: toGeneralizedTime(at, 'Z') })
      const place = server.entries.findIndex(({ dn }) => dn === entry.dn)
      server.entries.splice(place === -1 ? server.entries.length : place, place === -1 ? 0 : 1, entry)
    },
    cutNext: () => server.misbehave(undefined, 'cut'),
    stallNext: (stalled) => server.misbehave({ silence: stalled }),
    idColumn: 'uid',
    secrets: [server.password, 'not-the-$ecret'],
    close: () => server.close(),
  }
})

// a real directory, where scripts/outside-ldap.mjs started one
const outside = process.env['OUTSIDE_LDAP']
if (outside) describeSlapd(outside)

describe('an LDAP source', () => {
  const dir = mkdtempSync(join(tmpdir(), 'instep-ldap-'))
  const servers: { close(): Promise<void> }[] = []
  let files = 0
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
    expect(readdirSync(dir).filter((name) => !name.endsWith('.csv'))).toEqual([])
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  const serve = async (entries: readonly StandInEntry[], options: StandInOptions = {}): Promise<LdapStandIn> => {
    const server = await startLdapStandIn(options)
    servers.push(server)
    server.entries.push(...entries)
    return server
  }
  type Given = { settings?: Record<string, unknown>; options?: LdapOptions; watermark?: JsonValue; now?: Date }
  const fetch = async (server: LdapStandIn, { settings = {}, options = {}, watermark = null, now = new Date() }: Given = {}) => {
    files += 1
    const path = join(dir, `${files}.csv`)
    const properties = { ...settingsFor(server), ...settings }
    const source = createLdapSource({ properties, secrets: { password: server.password } }, { allowPrivate: true, ...options })
    const fetched = await source.fetch({ path, watermark, limit: 2 ** 30, now, signal: NEVER })
    return { fetched, rows: fetched ? await readFetched(path) : [] }
  }
  const people = ['a', 'b', 'c', 'd', 'e'].map((uid) => person(uid))
  const uids = async (server: LdapStandIn, given: Given = {}) => (await fetch(server, given)).rows.map(({ uid }) => uid)

  it.each(['ldaps', 'startTls', 'none'] as const)('reads page by page over %s', async (tls) => {
    const server = await serve(people, { tls })
    const settings = { allowPlain: tls === 'none', certificateAuthority: oneLine }
    expect(await uids(server, { settings })).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(server.received).toHaveLength(3)
  })

  it('reads one level, by a filter of its own, the attributes asked for', async () => {
    const server = await serve([...people, person('f,ou=sub')])
    const settings = { searchScope: 'one', filter: '(&(uid>=b)(!(uid=d))(|(cn=x)(sn=o*li)))', attributes: 'UID; sn uid' }
    expect((await fetch(server, { settings })).rows).toEqual(
      ['b', 'c', 'e'].map((uid) => ({ dn: `uid=${uid},${BASE}`, UID: uid, sn: 'O"Neil, Li' })),
    )
  })

  it('goes on behind an empty page whose cookie asks for more', async () => {
    const server = await serve(people)
    server.misbehave(undefined, 'empty page', 'empty page')
    expect(await uids(server)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('writes what Active Directory holds as text', async () => {
    const entry = {
      dn: `CN=Li\\, Zoé,${BASE}`,
      attributes: {
        objectClass: ['user'],
        objectCategory: 'person',
        objectGUID: Buffer.from('33221100554477668899aabbccddeeff', 'hex'),
        objectSid: Buffer.from('010500000000000515000000a065cf7e784b9b5fe77c8770091c0100', 'hex'),
        whenCreated: '20260301123005.0Z',
        accountExpires: '9223372036854775807',
        pwdLastSet: '133541136000000000',
        proxyAddresses: ['smtp:b@x', 'SMTP:a@x'],
        'memberOf;range=0-1': ['cn=z', 'cn=y'],
        'cn;lang-fr': 'non',
        userAccountControl: '514',
        thumbnailPhoto: Buffer.from([0xff, 0xd8, 0xff]),
      },
    }
    const server = await serve([entry])
    const attributes = `${Object.keys(entry.attributes)
      .map((name) => name.split(';')[0])
      .slice(2)
      .join()}`
    const { rows } = await fetch(server, { settings: { directory: 'activeDirectory', attributes } })
    expect(rows).toEqual([
      {
        dn: `CN=Li\\, Zoé,${BASE}`,
        objectGUID: '00112233-4455-6677-8899-aabbccddeeff',
        objectSid: 'S-1-5-21-2127521184-1604012920-1887927527-72713',
        whenCreated: '2026-03-01T12:30:05.000Z',
        accountExpires: '',
        pwdLastSet: '2024-03-05T12:00:00.000Z',
        proxyAddresses: 'SMTP:a@x; smtp:b@x',
        memberOf: 'cn=y; cn=z',
        cn: '',
        userAccountControl: '514',
        thumbnailPhoto: '/9j/',
        enabled: 'false',
      },
    ])
    const properties = { ...settingsFor(server), directory: 'activeDirectory', attributes }
    const source = createLdapSource({ properties, secrets: { password: server.password } }, { allowPrivate: true })
    const one = await source.readOne?.({ column: 'objectGUID', value: rows[0]?.['objectGUID'] ?? '' }, NEVER)
    expect(Object.fromEntries(one?.columns.map((name, place) => [name, one.cells[place]]) ?? [])).toEqual(rows[0])
    // the bytes in the order of the directory, as far as they are letters
    expect(String(server.received.at(-1)?.filter)).toMatch(/\(objectguid=3".*UDwf/)
  })

  it('names managers by an attribute of their own entry, wherever they stand', async () => {
    const boss = { dn: 'cn=Boss,ou=board,dc=example,dc=com', attributes: { objectClass: 'person', mail: 'boss@example.com' } }
    const server = await serve([
      person('a', { manager: `uid=b,${BASE}` }),
      person('b', { manager: boss.dn, mail: 'b@example.com' }),
      person('c', { manager: 'uid=gone,dc=example,dc=com' }),
      boss,
    ])
    const { rows } = await fetch(server, { settings: { managerAttribute: 'mail' } })
    expect(rows.map((row) => [row['manager'], row['manager.mail']])).toEqual([
      [`uid=b,${BASE}`, 'b@example.com'],
      [boss.dn, 'boss@example.com'],
      ['uid=gone,dc=example,dc=com', ''],
    ])
  })

  describe('asks for changes', () => {
    const now = new Date('2026-03-01T12:00:00.500Z')
    it.each([
      ['whenChanged', '20260301115000.0Z'],
      ['modifyTimestamp', '20260301115000Z'],
      ['entryCSN', '20260301115000.000000Z#000000#000#000000'],
    ])('by %s', async (changeAttribute, value) => {
      const server = await serve(people)
      const { fetched } = await fetch(server, { settings: { changeAttribute }, now })
      const second = await fetch(server, { settings: { changeAttribute }, now, watermark: fetched?.watermark ?? null })
      expect(second.fetched).toBeUndefined()
      expect(server.received.at(-1)?.filter.toString()).toBe(`(&(objectclass=inetorgperson)(${changeAttribute.toLowerCase()}>=${value}))`)
    })

    it('by the clock of the directory, where it tells it', async () => {
      const server = await serve(people)
      server.root['currentTime'] = '20260301100000.0Z'
      const { fetched } = await fetch(server, { settings: { changeAttribute: 'whenChanged' }, now })
      expect(fetched?.watermark).toMatchObject({ since: '2026-03-01T09:50:00.000Z' })
    })

    it('by number, and fetches everybody from another domain controller or one that was set back', async () => {
      const server = await serve(
        people.map((entry, index) => ({ ...entry, attributes: { ...entry.attributes, uSNChanged: String(95 + index) } })),
      )
      Object.assign(server.root, { highestCommittedUSN: '97', dsServiceName: 'CN=DC1' })
      const given = { settings: { changeAttribute: 'uSNChanged' }, now }
      const { fetched } = await fetch(server, given)
      const watermark = fetched?.watermark ?? null
      server.root['highestCommittedUSN'] = '120'
      expect(await uids(server, { ...given, watermark })).toEqual(['d', 'e'])
      for (const change of [{ dsServiceName: 'CN=DC2' }, { dsServiceName: 'CN=DC1', highestCommittedUSN: '9' }]) {
        Object.assign(server.root, change)
        expect((await fetch(server, { ...given, watermark })).fetched?.extent).toBe('full')
      }
    })

    it('by number only where the directory counts', async () => {
      const server = await serve(people)
      await expect(fetch(server, { settings: { changeAttribute: 'uSNChanged' } })).rejects.toMatchObject({
        code: 'SOURCE_SETTINGS_INVALID',
      })
    })
  })

  describe('says what is wrong:', () => {
    const bad: [string, string, Given, LdapMisbehaviour?][] = [
      ['a base that is not there', 'SOURCE_BASE_UNKNOWN', { settings: { baseDn: 'ou=nowhere,dc=test' } }],
      ['a filter that the directory does not take', 'SOURCE_FILTER_INVALID', {}, { status: 18, message: 'no' }],
      ['nobody', 'SOURCE_EMPTY', { settings: { filter: '(uid=nobody)' } }],
      ['a limit of the directory', 'SOURCE_SIZE_LIMIT', {}],
      ['no paged results', 'SOURCE_PAGING_ABSENT', {}, { status: 12 }],
      ['no right to read', 'SOURCE_FORBIDDEN', {}, { status: 50 }],
      ['another server', 'SOURCE_REFERRAL', {}, { status: 10 }],
      ['a directory that is busy', 'SOURCE_UNAVAILABLE', {}, { status: 51 }],
      ['a refusal', 'SOURCE_REFUSED', {}, { status: 53, message: 'not today' }],
      ['the same page for ever', 'SOURCE_LOOP', {}, 'same page'],
      ['silence', 'SOURCE_TIMEOUT', { options: { timeoutMs: 40 } }, { silence: () => undefined }],
      ['a page too large', 'SOURCE_PAGE_TOO_LARGE', { options: { pageLimit: 200 } }],
      ['no StartTLS', 'SOURCE_STARTTLS_ABSENT', { settings: { allowPlain: false } }],
    ]
    it.each(bad)('%s (%s)', async (...[, code, given, way]) => {
      const server = await serve(people, { sizeLimit: code === 'SOURCE_SIZE_LIMIT' ? 3 : 99 })
      if (way) server.misbehave(way, way, way)
      await expect(fetch(server, given)).rejects.toMatchObject({ code })
    })

    it('how many were read when the directory stopped', async () => {
      const server = await serve(people, { sizeLimit: 3 })
      await expect(fetch(server)).rejects.toMatchObject({ params: { read: 2 } })
    })

    it.each(['ldaps', 'startTls'] as const)('a certificate that nobody vouches for (%s)', async (tls) => {
      const server = await serve(people, { tls })
      await expect(fetch(server, { settings: { allowPlain: false } })).rejects.toMatchObject({
        code: 'SOURCE_CERTIFICATE',
        params: { reason: 'self-signed' },
      })
    })

    it('a server that speaks something else', async () => {
      const web = await startRestStandIn(answer(200, 'hello'))
      servers.push(web)
      const server = await serve(people)
      const source = fetch({ ...server, url: web.origin.replace('http', 'ldap') }, { options: { timeoutMs: 2000 } })
      await expect(source).rejects.toMatchObject({ code: 'SOURCE_NOT_LDAP' })
    })

    it('that it found nobody when it is tried', async () => {
      const server = await serve(people)
      const open = (filter: string) =>
        createLdapSource({ properties: { ...settingsFor(server), filter }, secrets: { password: server.password } }, { allowPrivate: true })
      await expect(open('(uid=nobody)').test(NEVER)).rejects.toMatchObject({ code: 'SOURCE_EMPTY' })
      expect(await open('(uid=a)').test(NEVER)).toEqual({ found: { name: BASE, size: null, modifiedAt: null } })
    })
  })
})

describe('a directory inside the operator’s own network', () => {
  it.each(['ldaps://127.0.0.1', 'ldaps://localhost', 'ldap://192.168.1.4'])(
    'is not asked at %s unless the operator allows it',
    (server) => {
      const properties = { server, baseDn: 'dc=example,dc=com', directory: 'openLdap', filter: '', searchScope: 'sub' }
      expect(() => createLdapSource({ properties, secrets: {} })).toThrowError(expect.objectContaining({ code: 'SOURCE_ADDRESS_REFUSED' }))
    },
  )
})
