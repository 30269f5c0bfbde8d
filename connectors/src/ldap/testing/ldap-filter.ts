import {
  AndFilter,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
} from 'ldapts'

/** Attributes of an entry by name in lower case, their values as text. */
export type Attributes = ReadonlyMap<string, readonly string[]>

const fold = (value: unknown): string => String(value).toLowerCase()

const compare = (a: string, b: string): number => {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(BigInt(a) - BigInt(b))
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether an entry satisfies a filter, as far as the tests ask. */
export const matches = (filter: Filter, attributes: Attributes): boolean => {
  const some = (name: string, test: (value: string) => boolean) => (attributes.get(name.toLowerCase()) ?? []).some(test)
  if (filter instanceof AndFilter) return filter.filters.every((one) => matches(one, attributes))
  if (filter instanceof OrFilter) return filter.filters.some((one) => matches(one, attributes))
  if (filter instanceof NotFilter) return !matches(filter.filter, attributes)
  // ldapts writes the attribute of a presence filter, but cannot read it
  if (filter instanceof PresenceFilter) return true
  if (filter instanceof EqualityFilter) return some(filter.attribute, (value) => fold(value) === fold(filter.value))
  if (filter instanceof GreaterThanEqualsFilter) return some(filter.attribute, (value) => compare(value, String(filter.value)) >= 0)
  if (filter instanceof LessThanEqualsFilter) return some(filter.attribute, (value) => compare(value, String(filter.value)) <= 0)
  if (filter instanceof SubstringFilter) {
    const { initial, any, final } = filter
    return some(filter.attribute, (value) => {
      const text = fold(value)
      return text.startsWith(fold(initial)) && text.endsWith(fold(final)) && any.every((part) => text.includes(fold(part)))
    })
  }
  // LDAP_MATCHING_RULE_BIT_AND ([MS-ADTS] section 3.1.1.3.4.4.1)
  if (filter instanceof ExtensibleFilter && filter.rule === '1.2.840.113556.1.4.803')
    return some(filter.matchType, (value) => (Number(value) & Number(filter.value)) === Number(filter.value))
  return false
}
