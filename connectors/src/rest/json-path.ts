/**
 * The few paths that a setting needs: names parted by dots, `[0]` for a place in a list, and names in double quotes (a JSON string) where they hold
 * anything else: `data.people`, `result[0]`, `"odata.next"`, `body."a.b"[2]`. Nothing searches, nothing is computed.
 */
export type JsonPath = readonly (string | number)[]

const STEP = /(?:(\.?)(?:([^.[\]"\s][^.[\]"]*)|("(?:[^"\\]|\\.)*"))|\[(\d{1,6})\])/y

const unquote = (quoted: string): string | undefined => {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** The steps of a path; none for an empty text. Undefined when it is no path. */
export const parsePath = (text: string): JsonPath | undefined => {
  const steps: (string | number)[] = []
  STEP.lastIndex = 0
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text)
    if (!found) return undefined
    const [, dot, plain, quoted, index] = found
    if (index !== undefined) {
      steps.push(Number(index))
      continue
    }
    if ((dot === '.') !== steps.length > 0) return undefined
    const name = quoted === undefined ? plain : unquote(quoted)
    if (name === undefined) return undefined
    steps.push(name)
  }
  return steps
}

/** What stands at a path; undefined where it leads nowhere. */
export const valueAt = (value: unknown, path: JsonPath): unknown => {
  let at = value
  for (const step of path) {
    if (at === null || typeof at !== 'object') return undefined
    if (Array.isArray(at) !== (typeof step === 'number') || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string | number, unknown>)[step]
  }
  return at
}

const isPlain = (name: string): boolean => name !== '' && /^[^.[\]"=\s]+( [^.[\]"=\s]+)*$/.test(name) && name.normalize('NFC') === name

/** A name as a step of a column's name. What the reader of the file would fold (spaces, composed letters) is escaped, so that no two names meet. */
export const nameStep = (name: string): string =>
  isPlain(name)
    ? name
    : JSON.stringify(name).replace(/[^\x21-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
