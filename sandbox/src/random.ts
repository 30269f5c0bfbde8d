/** Numbers that look random and are the same for the same parts, so that a world can be told from its seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
  /** One of the values, likelier the greater its share. */
  weighted<T extends { readonly share: number }>(values: readonly T[]): T
}

/** FNV-1a over UTF-16 units: 32 bits. */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

/** A generator of its own for these parts (mulberry32). */
export const createRandom = (...parts: readonly (string | number)[]): Random => {
  let state = hash(parts.join('|'))
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(next() * values.length)]
    if (value === undefined) throw new RangeError('Nothing to pick from')
    return value
  }
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick,
    weighted: (values) => {
      let rest = next() * values.reduce((sum, value) => sum + value.share, 0)
      for (const value of values) {
        rest -= value.share
        if (rest < 0) return value
      }
      return pick(values)
    },
  }
}
