/** Regular expressions whose time is proportional to the text, whatever they are: RE2 instead of the backtracking of JavaScript's own. */
import { RE2JS } from 're2js'

/** Instructions of a compiled pattern; what takes more would be slow on every text. */
const LARGEST = 500

export class PatternTooLarge extends Error {}

const compiled = new WeakMap<RegExp, RE2JS>()

const flagsOf = ({ flags }: RegExp): number =>
  (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
  (flags.includes('m') ? RE2JS.MULTILINE : 0) |
  (flags.includes('s') ? RE2JS.DOTALL : 0)

/** Compiles a pattern once. Throws where it looks around or back, which cannot be done in linear time, or is too large. */
export const linearPattern = (pattern: RegExp): RE2JS => {
  const known = compiled.get(pattern)
  if (known) return known
  const made = RE2JS.compile(RE2JS.translateRegExp(pattern.source), flagsOf(pattern))
  if (made.programSize() > LARGEST) throw new PatternTooLarge()
  compiled.set(pattern, made)
  return made
}

interface Found extends Array<string | undefined> {
  index: number
}

interface Searcher {
  lastIndex: number
  readonly exec: (text: string) => Found | null
}

const searcherOf = (pattern: RE2JS): Searcher => {
  const searcher: Searcher = {
    lastIndex: 0,
    exec: (text) => {
      const matcher = pattern.matcher(text)
      if (searcher.lastIndex > text.length || !matcher.find(searcher.lastIndex)) {
        searcher.lastIndex = 0
        return null
      }
      searcher.lastIndex = matcher.end()
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined)
      return Object.assign(groups, { index: matcher.start() })
    },
  }
  return searcher
}

/** Takes the place of `RegExp` where a library makes its own with `new` and asks `exec` and `lastIndex` only. */
export function LinearRegex(pattern: RegExp): Searcher {
  return searcherOf(linearPattern(pattern))
}
