/** What the values of a directory's attributes are in a cell. */

/** Values of an attribute are a set (RFC 4512 section 2.3): they are put in order, so that the same set is the same text. */
export const VALUE_SEPARATOR = '; '

const hex = (bytes: Buffer): string => bytes.toString('hex')

/** The text of an objectGUID: its first three parts are little endian ([MS-DTYP] section 2.3.4). */
export const guidText = (bytes: Buffer): string => {
  const turned = (from: number, to: number) => hex(Buffer.from(bytes.subarray(from, to)).reverse())
  return `${turned(0, 4)}-${turned(4, 6)}-${turned(6, 8)}-${hex(bytes.subarray(8, 10))}-${hex(bytes.subarray(10, 16))}`
}

const GUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4}-[0-9a-f]{12})$/i

/** The bytes of such a text; undefined where it is none. */
const guidBytes = (text: string): Buffer | undefined => {
  const [, first = '', second = '', third = '', rest = ''] = GUID.exec(text) ?? []
  if (rest === '') return undefined
  const turned = (part: string) => Buffer.from(part, 'hex').reverse()
  return Buffer.concat([turned(first), turned(second), turned(third), Buffer.from(rest.replace('-', ''), 'hex')])
}

/** The text of a security identifier ([MS-DTYP] section 2.4.2): S-1-5-21-… */
export const sidText = (bytes: Buffer): string => {
  const count = bytes.readUInt8(1)
  const parts = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(8 + index * 4))
  return ['S', bytes.readUInt8(0), bytes.readUIntBE(2, 6), ...parts].join('-')
}

/** 100-nanosecond steps from 1601 to 1970. */
const FILETIME_EPOCH = 116_444_736_000_000_000n
const NEVER = 9_223_372_036_854_775_807n

/** A Windows FILETIME as an instant (ISO 8601); empty for 0 and for the largest number, which both say "never". */
export const fileTimeText = (value: string): string => {
  if (!/^\d{1,19}$/.test(value)) return value
  const ticks = BigInt(value)
  if (ticks === 0n || ticks >= NEVER) return ''
  return new Date(Number((ticks - FILETIME_EPOCH) / 10_000n)).toISOString()
}

const GENERALIZED = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:[.,](\d{1,9}))?(Z|[+-]\d{2}(?:\d{2})?)$/

/** A generalizedTime (RFC 4517 section 3.3.13) as an instant (ISO 8601); any other text as it is. */
export const generalizedTimeText = (value: string): string => {
  const parts = GENERALIZED.exec(value)
  if (!parts) return value
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = parts
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3) || '00'}`
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(instant.getTime()) ? value : instant.toISOString()
}

/** An instant as generalizedTime, to the second: what filters compare with. */
export const toGeneralizedTime = (instant: Date, ending: '.0Z' | 'Z' | '.000000Z'): string =>
  `${instant.toISOString().slice(0, 19).replace(/[-T:]/g, '')}${ending}`

const FILE_TIMES = new Set([
  'accountexpires',
  'badpasswordtime',
  'lastlogoff',
  'lastlogon',
  'lastlogontimestamp',
  'lockouttime',
  'pwdlastset',
  'msds-userpasswordexpirytimecomputed',
])
const GUIDS = new Set(['objectguid', 'ms-ds-consistencyguid', 'msexchmailboxguid'])
const SIDS = new Set(['objectsid', 'sidhistory'])

const isSid = (bytes: Buffer): boolean => bytes.length >= 8 && bytes.length === 8 + (bytes[1] ?? 0) * 4

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const decode = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    return bytes.toString('base64')
  }
}

const valueText = (name: string, bytes: Buffer): string => {
  if (GUIDS.has(name) && bytes.length === 16) return guidText(bytes)
  if (SIDS.has(name) && isSid(bytes)) return sidText(bytes)
  const text = decode(bytes)
  return FILE_TIMES.has(name) ? fileTimeText(text) : generalizedTimeText(text)
}

/** The cell of an attribute: GUIDs, SIDs and times as text, other values that are no UTF-8 as base64, several values sorted and joined. */
export const attributeText = (attribute: string, values: readonly Buffer[]): string => {
  const name = attribute.toLowerCase()
  const [only] = values
  if (only && values.length === 1) return valueText(name, only)
  return values
    .map((bytes) => valueText(name, bytes))
    .sort((a, b) => (a < b ? -1 : 1))
    .join(VALUE_SEPARATOR)
}

/** What a filter compares an attribute with, so that the entry is found whose cell has this text. */
export const filterValue = (attribute: string, text: string): string | Buffer =>
  (GUIDS.has(attribute.toLowerCase()) ? guidBytes(text) : undefined) ?? text

const ACCOUNT_DISABLED = 2

/** Whether a userAccountControl leaves the account usable (bit 2 is ACCOUNTDISABLE); empty where it says nothing. */
export const enabledText = (userAccountControl: string): string => {
  if (!/^-?\d+$/.test(userAccountControl)) return ''
  return (Number(userAccountControl) & ACCOUNT_DISABLED) === 0 ? 'true' : 'false'
}
