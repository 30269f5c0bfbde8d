import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Attribute, Change, Client } from 'ldapts'
import { afterAll, describe, expect, it } from 'vitest'
import { describeFetchedPeople, readFetched } from '../../kit/testing/fetched-people.ts'
import { TEST_CERTIFICATE } from '../../kit/testing/test-certificate.ts'
import { createLdapSource } from '../ldap-source.ts'

/** What `scripts/outside-ldap.mjs` says of the slapd that it started: people `N1` … in ou=people, `P1` to `P5` in ou=few, all unchanged since 2020. */
interface Given {
  readonly ldap: string
  readonly ldaps: string
  readonly entries: number
  readonly rootDn: string
  readonly reader: string
  readonly limited: string
  readonly password: string
}

const NEVER = new AbortController().signal
const NOBODY_LISTENS = 'ldap://127.0.0.1:9'

const open = ({ ldap, reader, password }: Given, settings: Record<string, unknown> = {}, secret = password) =>
  createLdapSource(
    {
      properties: { server: ldap, certificateAuthority: TEST_CERTIFICATE, bindDn: reader, directory: 'openLdap', ...settings },
      secrets: { password: secret },
    },
    { allowPrivate: true },
  )

/** Adds a person to ou=few or changes them; slapd itself notes when. */
const put = async (given: Given, uid: string): Promise<void> => {
  const client = new Client({ url: given.ldap })
  const dn = `uid=${uid},ou=few,dc=example,dc=com`
  try {
    await client.bind(given.rootDn, given.password)
    if (uid === 'P6') await client.add(dn, { objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid })
    else await client.modify(dn, new Change({ operation: 'replace', modification: new Attribute({ type: 'sn', values: ['Changed'] }) }))
  } finally {
    await client.unbind()
  }
}

const describeTable = (given: Given, changeAttribute: string): void => {
  const settings = { baseDn: 'ou=few,dc=example,dc=com', resultsPerPage: 2, changeAttribute, overlapMinutes: 0 }
  const begun = new Date()
  const setUp = async () => ({
    open: () => open(given, settings),
    openWithWrongCredentials: () => open(given, settings, 'not-the-$ecret'),
    openUnreachable: () => open(given, { ...settings, server: NOBODY_LISTENS }),
    put: async (id: string, at: Date) => {
      if (at > begun) await put(given, id)
    },
    idColumn: 'uid',
    secrets: [given.password, 'not-the-$ecret'],
    close: async () => undefined,
  })
  describeFetchedPeople(`slapd (changes by ${changeAttribute})`, setUp, { canBreak: false })
}

/** The tests that a real slapd can answer. */
export const describeSlapd = (json: string): void => {
  const given = JSON.parse(json) as Given
  describeTable(given, 'modifyTimestamp')

  describe('slapd with many entries', () => {
    const dir = mkdtempSync(join(tmpdir(), 'instep-slapd-test-'))
    afterAll(() => rmSync(dir, { recursive: true, force: true }))
    const fetch = async (name: string, settings: Record<string, unknown>) => {
      const path = join(dir, name)
      const source = open(given, { baseDn: 'ou=people,dc=example,dc=com', ...settings })
      await source.fetch({ path, watermark: null, limit: 2 ** 30, now: new Date(), signal: NEVER })
      return readFetched(path)
    }

    it.each(['ldap', 'ldaps'] as const)('gives each once, with the mail of the manager (%s)', async (scheme) => {
      const rows = await fetch(`${scheme}.csv`, { server: given[scheme], managerAttribute: 'mail' })
      expect(new Set(rows.map(({ uid }) => uid)).size).toBe(given.entries)
      expect(rows).toHaveLength(given.entries)
      expect(rows.find(({ uid }) => uid === 'N4321')).toMatchObject({
        title: 'Zoé',
        sn: '"O,Neil; Li"',
        mail: 'N4321@example.com; a.N4321@example.com',
        'manager.mail': 'N433@example.com; a.N433@example.com',
        entryUUID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
    })

    it.each([
      ['a limit', { bindDn: given.limited }, 'SOURCE_SIZE_LIMIT'],
      ['no such base', { baseDn: 'ou=nowhere,dc=example,dc=com' }, 'SOURCE_BASE_UNKNOWN'],
      ['nobody', { filter: '(uid=nobody)' }, 'SOURCE_EMPTY'],
      ['a certificate that nobody vouches for', { certificateAuthority: '' }, 'SOURCE_CERTIFICATE'],
    ])('says what is wrong: %s', async (...[name, settings, code]) => {
      await expect(fetch(`${name}.csv`, settings)).rejects.toMatchObject({ code })
    })

    it('finds changes by entryCSN', async () => {
      const rows = await fetch('csn.csv', { filter: '(entryCSN>=20200101000000.000000Z#002700#000#000000)' })
      expect(rows).toHaveLength(given.entries - 0x2700 + 1)
    })
  })
}
