import type { ReadPart } from './inspect-zip.ts'

/** A cell that holds an error instead of a value (`#N/A`), by row and column from 1. */
export interface ErrorCell {
  readonly row: number
  readonly column: number
  readonly text: string
}

/** The sheet of a workbook that is read. */
export interface FirstSheet {
  /** Its place among the sheets, from 1. */
  readonly number: number
  /** The reader of cells takes these for empty, and an empty cell may clear a field. */
  readonly errors: readonly ErrorCell[]
}

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)(?:\\w+:)?${name}="([^"]*)"`).exec(attributes)?.[1]

const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(\\s[^>]*)>`, 'g'))].map(([, attributes = '']) => attributes)

/** The parts of the sheets by the id that the workbook gives them; charts and macros are none. */
const sheetParts = (relations: string): Map<string, string> =>
  new Map(
    elements(relations, 'Relationship').flatMap((attributes) => {
      const [id, type = '', target = ''] = ['Id', 'Type', 'Target'].map((name) => attribute(attributes, name))
      return id && type.endsWith('/worksheet') ? [[id, target.startsWith('/') ? target.slice(1) : `xl/${target}`] as const] : []
    }),
  )

const LETTERS = 26
const CODE_BEFORE_A = 64

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * LETTERS + letter.charCodeAt(0) - CODE_BEFORE_A, 0)

const errorCells = (sheet: string): ErrorCell[] =>
  [...sheet.matchAll(/<(\w+:)?c(\s[^>]*\bt="e"[^>]*)>/g)].flatMap((found) => {
    const [tag, prefix = '', attributes = ''] = found
    const [, letters, digits] = /\sr="([A-Z]{1,3})(\d{1,7})"/.exec(attributes) ?? []
    if (!letters || !digits || attributes.endsWith('/')) return []
    const from = found.index + tag.length
    const end = sheet.indexOf(`</${prefix}c>`, from)
    const [, text] = /<(?:\w+:)?v>(#[^<]{1,20})</.exec(sheet.slice(from, end === -1 ? from : end)) ?? []
    return text === undefined ? [] : [{ row: Number(digits), column: columnNumber(letters), text }]
  })

/** The first sheet of a workbook that a person sees, else the first of all. */
export const findFirstSheet = (read: ReadPart): FirstSheet => {
  const parts = sheetParts(read('xl/_rels/workbook.xml.rels') ?? '')
  const sheets = elements(read('xl/workbook.xml') ?? '', 'sheet').map((attributes) => ({
    part: parts.get(/\s\w+:id="([^"]*)"/.exec(attributes)?.[1] ?? ''),
    hidden: /hidden/i.test(attribute(attributes, 'state') ?? ''),
  }))
  const place = Math.max(
    0,
    sheets.findIndex(({ part, hidden }) => part !== undefined && !hidden),
  )
  const sheet = read(sheets[place]?.part ?? '') ?? ''
  return { number: place + 1, errors: sheet.includes('t="e"') ? errorCells(sheet) : [] }
}
