type Part = Readonly<Record<string, unknown>>

// a reference, an address and a list are one value: half of one says nothing
const WHOLE = new Set(['manager', 'approver', 'leader', 'emails', 'phoneNumbers', 'addresses'])

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of one input of a person that are not the same in the other, at any depth. Pure. */
export const changedMembers = (now: Part, then: Part): Part =>
  Object.fromEntries(
    Object.entries(now).flatMap(([key, value]) => {
      const before = then[key]
      if (!WHOLE.has(key) && isPart(value) && isPart(before)) {
        const inner = changedMembers(value, before)
        return Object.keys(inner).length > 0 ? [[key, inner]] : []
      }
      return JSON.stringify(value) === JSON.stringify(before) ? [] : [[key, value]]
    }),
  )
