import { nameStep } from './json-path.ts'

/** What stands between the values of a list that becomes one cell. */
export const LIST_SEPARATOR = '; '

/** Deeper than any record is; what lies below is kept as JSON. */
const DEEPEST = 12

type Cells = Map<string, string>

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** `type=work` where the element says so and is the first that does, else its place. */
const selectors = (elements: readonly unknown[]): string[] => {
  const seen = new Set<string>()
  return elements.map((element, index) => {
    const type = isObject(element) ? element['type'] : undefined
    if (typeof type !== 'string' || type === '' || seen.has(type)) return String(index)
    seen.add(type)
    return `type=${nameStep(type)}`
  })
}

const put = (cells: Cells, at: { name: string; depth: number }, value: unknown): void => {
  const { name, depth } = at
  if (value === null || typeof value !== 'object') {
    cells.set(name, text(value))
    return
  }
  if (depth >= DEEPEST) {
    cells.set(name, JSON.stringify(value))
    return
  }
  if (Array.isArray(value)) {
    putList(cells, at, value)
    return
  }
  const members = Object.entries(value)
  if (members.length === 0) cells.set(name, '')
  for (const [member, inner] of members) {
    const step = nameStep(member)
    put(cells, { name: name === '' ? step : `${name}.${step}`, depth: depth + 1 }, inner)
  }
}

const putList = (cells: Cells, { name, depth }: { name: string; depth: number }, list: readonly unknown[]): void => {
  if (list.every((element) => element === null || typeof element !== 'object')) {
    const parts = list.map(text).filter((part) => part !== '')
    cells.set(name, parts.join(LIST_SEPARATOR))
    return
  }
  const names = selectors(list)
  list.forEach((element, index) => {
    put(cells, { name: `${name}[${names[index]}]`, depth: depth + 1 }, element)
  })
}

/**
 * A record of JSON as the cells of one row. Members of objects become dotted columns (`name.givenName`), lists of plain values one cell (`a; b`), lists
 * of objects columns named by their `type` (`emails[type=work].value`) or else by their place (`emails[0].value`). Null is an empty cell.
 */
export const flattenRecord = (record: Readonly<Record<string, unknown>>): Map<string, string> => {
  const cells: Cells = new Map()
  if (Object.keys(record).length > 0) put(cells, { name: '', depth: 0 }, record)
  return cells
}
