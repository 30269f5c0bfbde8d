import type { AccountDocument } from '../kit/target.ts'
import { asMembers, type Members } from './attribute-path.ts'
import { CORE_USER, ENTERPRISE_TEXTS, ENTERPRISE_USER, NAME_PARTS, TEXT_ATTRIBUTES } from './scim-document.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The members that hold text, in the order asked for; undefined when none does. */
const texts = (source: Members, names: readonly string[]): Members | undefined => {
  const found = names.flatMap((name) => (text(source[name]) === undefined ? [] : [[name, source[name]] as const]))
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

const list = (value: unknown, names: readonly string[]): Members[] | undefined => {
  const entries = (Array.isArray(value) ? value : []).flatMap((entry) => {
    const kept = texts(asMembers(entry), names)
    return kept ? [asMembers(entry).primary === true ? { ...kept, primary: true } : kept] : []
  })
  return entries.length > 0 ? entries : undefined
}

const enterprisePart = (value: unknown): Members | undefined => {
  const source = asMembers(value)
  const manager = text(asMembers(source.manager).value) ?? text(source.manager)
  const kept = { ...texts(source, ENTERPRISE_TEXTS), ...(manager === undefined ? {} : { manager: { value: manager } }) }
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** What of an account as a target returned it is ours to manage, in the shape of `documentOf`: the rest is neither compared nor changed. */
export const managedPart = (resource: Members): AccountDocument => {
  const enterprise = enterprisePart(resource[ENTERPRISE_USER])
  const part: Members = {
    schemas: enterprise ? [CORE_USER, ENTERPRISE_USER] : [CORE_USER],
    ...texts(resource, ['externalId', 'userName']),
    active: resource.active !== false && resource.active !== 'False' && resource.active !== 'false',
    name: texts(asMembers(resource.name), NAME_PARTS),
    ...texts(resource, TEXT_ATTRIBUTES),
    emails: list(resource.emails, ['value', 'type']),
    phoneNumbers: list(resource.phoneNumbers, ['value', 'type']),
    addresses: list(resource.addresses, ['type', 'formatted', 'locality', 'country']),
    [ENTERPRISE_USER]: enterprise,
  }
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
}
