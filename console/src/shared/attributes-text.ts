import type { ClaimField } from '@instep/contract/settings.ts'

interface Words {
  readonly attributes: readonly Pick<ClaimField, 'id' | 'displayName' | 'type'>[]
  /** A day, `YYYY-MM-DD`, as people read it; what is none as it stands. */
  readonly date: (day: string) => string
}

/** Security attributes by id in words, `Shoe size: 42`; one that is empty has a dash, one that is no more has no name. Null for none. */
export const attributesText = (values: object, { attributes, date }: Words): string | null => {
  const told = Object.entries(values).map(([id, value]) => {
    const attribute = attributes.find((one) => one.id === id)
    const text = value === null || value === '' ? '–' : attribute?.type === 'date' ? date(String(value)) : String(value)
    return attribute ? `${attribute.displayName}: ${text}` : text
  })
  return told.join(', ') || null
}
