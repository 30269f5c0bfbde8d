import { PresenceFilter } from 'ldapts'
import { ConnectorError } from '../kit/problem.ts'
import type { SpooledRow } from '../kit/record-spool.ts'
import { attributeText } from './ldap-values.ts'
import type { LdapWire } from './ldap-wire.ts'

/** Managers remembered at one time; the others are asked for again when they come up again. */
const REMEMBERED = 20_000
const AT_ONCE = 8

/** The entry is gone, not to be read, or on another server. */
const ABSENT = new Set(['SOURCE_BASE_UNKNOWN', 'SOURCE_FORBIDDEN', 'SOURCE_REFERRAL'])

const everything = new PresenceFilter({ attribute: 'objectClass' })

/**
 * Fills the column `manager.<attribute>` from the manager's own entry, in a second pass over the rows: a manager may stand behind their reports, or not
 * be among the records at all. A manager whose entry is not there, or may not be read, leaves the cell empty.
 */
export const createManagerLookup = (
  wire: LdapWire,
  { columns, attribute }: { columns: readonly string[]; attribute: string },
): ((rows: SpooledRow[]) => Promise<void>) => {
  const from = columns.findIndex((name) => name.toLowerCase() === 'manager')
  const to = columns.indexOf(`manager.${attribute}`)
  const remembered = new Map<string, string>()

  const find = async (dn: string): Promise<string> => {
    try {
      const { entries } = await wire.search({ base: dn, scope: 'base', filter: everything, attributes: [attribute] })
      const found = entries[0]?.attributes.find(({ type }) => type.toLowerCase() === attribute.toLowerCase())
      return attributeText(attribute, found?.parsedBuffers ?? [])
    } catch (error) {
      if (error instanceof ConnectorError && ABSENT.has(error.code)) return ''
      throw error
    }
  }

  return async (rows) => {
    if (from === -1 || to === -1) return
    const wanted = [...new Set(rows.map((row) => row[from] ?? '').filter((dn) => dn !== ''))]
    const unknown = wanted.filter((dn) => !remembered.has(dn))
    if (remembered.size + unknown.length > REMEMBERED) {
      remembered.clear()
      unknown.splice(0, unknown.length, ...wanted)
    }
    for (let at = 0; at < unknown.length; at += AT_ONCE) {
      const some = unknown.slice(at, at + AT_ONCE)
      const values = await Promise.all(some.map(find))
      some.forEach((dn, index) => {
        remembered.set(dn, values[index] ?? '')
      })
    }
    for (const row of rows) row[to] = remembered.get(row[from] ?? '') ?? ''
  }
}
