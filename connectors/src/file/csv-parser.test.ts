import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCsvParser } from './csv-parser.ts'

const SEED = { seed: 7, numRuns: 500 }

interface Options {
  readonly delimiter?: string
  readonly newline?: '\n' | '\r'
  readonly cellLimit?: number
}

/** Parses pieces of text; answers row numbers and cells. */
const read = (pieces: readonly string[], { delimiter = ',', newline = '\n', cellLimit = 1000 }: Options = {}) => {
  const parser = createCsvParser({ delimiter, newline, cellLimit })
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
}
const cells = (text: string, options: Options = {}) => read([text], options).map((row) => row.cells)

/** Cuts a text at these places. */
const cut = (text: string, places: readonly number[]): string[] => {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

const isBlank = (row: readonly string[]) => row.every((cell) => cell.trim() === '')

describe('createCsvParser refuses', () => {
  it('a quote that is never closed, naming the row it opened in', () => {
    expect(() => cells('a,b\n1,2\n3,"4\n5,6\n')).toThrow(expect.objectContaining({ code: 'FILE_QUOTE_OPEN', params: { row: 3 } }))
  })

  it.each([
    ['plain', `a,b\n1,${'x'.repeat(1001)}\n`],
    ['quoted', `a,b\n1,"${'x'.repeat(1001)}"\n`],
    ['unfinished', `a,b\n1,${'x'.repeat(1001)}`],
    ['unfinished and quoted', `a,b\n1,"${'x'.repeat(1001)}`],
  ])('a cell over the limit, %s', (_name, text) => {
    expect(() => cells(text)).toThrow(expect.objectContaining({ code: 'FILE_CELL_TOO_LARGE', params: { row: 2, column: 2, limit: 1000 } }))
  })

  it('an endless cell before it fills memory', () => {
    const parser = createCsvParser({ delimiter: ',', newline: '\n', cellLimit: 1000 })
    let pushed = 0
    const endless = () => {
      for (;;) {
        parser.push('x'.repeat(500))
        pushed += 500
      }
    }
    expect(endless).toThrow(expect.objectContaining({ code: 'FILE_CELL_TOO_LARGE' }))
    expect(pushed).toBeLessThanOrEqual(1000)
  })

  it('an endless row of short cells before it fills memory', () => {
    const parser = createCsvParser({ delimiter: ',', newline: '\n', cellLimit: 1000 })
    let pushed = 0
    const endless = () => {
      for (;;) {
        parser.push('xxxx,')
        pushed += 5
      }
    }
    expect(endless).toThrow(expect.objectContaining({ code: 'FILE_CELL_TOO_LARGE' }))
    expect(pushed).toBeLessThanOrEqual(5005)
  })
})

describe('createCsvParser refuses in good time', () => {
  it('an endless row of empty cells before it fills memory', () => {
    const parser = createCsvParser({ delimiter: ',', newline: '\n', cellLimit: 1000 })
    let pushed = 0
    const endless = () => {
      for (; pushed < 100_000; pushed += 5) parser.push(',,,,,')
    }
    expect(endless).toThrow(expect.objectContaining({ code: 'FILE_CELL_TOO_LARGE' }))
    expect(pushed).toBeLessThanOrEqual(5005)
  })

  it('a row of empty cells that ends', () => {
    expect(() => cells(`a,b\n1${','.repeat(4001)}\n`)).toThrow(expect.objectContaining({ code: 'FILE_CELL_TOO_LARGE' }))
  })
})

describe('createCsvParser reads', () => {
  it.each(['a,b\n1,2\n\x1a', 'a,b\n1,2\x1a', 'a,b\n1,2\n\x1a\x1a'])('%j without the end mark of old systems', (text) => {
    expect(cells(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it.each([
    [
      'plain cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'carriage returns',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['quotes', '"a","b ""c"""\n', [['a', 'b "c"']]],
    [
      'line breaks and delimiters in quotes',
      '"a\nb","c,d"\r\n"e\r\nf",g\n',
      [
        ['a\nb', 'c,d'],
        ['e\r\nf', 'g'],
      ],
    ],
    ['empty cells', ',a,,""\n', [['', 'a', '', '']]],
    ['a quote inside a cell as it is', 'a"b,c\n', [['a"b', 'c']]],
    ['what follows a closing quote', '"a"b,c\n', [['ab', 'c']]],
    ['a cell that ends in quotes at the very end', 'a,"b"', [['a', 'b']]],
    [
      'an empty cell at the very end',
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a lone carriage return as text', 'a\rb,c\n', [['a\rb', 'c']]],
    ['nothing', '', []],
  ])('%s', (_name, text, expected) => {
    expect(cells(text)).toEqual(expected)
  })

  it('carriage returns alone as line breaks when told so', () => {
    expect(cells('a,b\r1,2\r', { newline: '\r' })).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('past blank rows, which count: a person sees them in a spreadsheet', () => {
    expect(read(['\na,b\n\n,\n1,2\n"x\ny",3\n4,5\n']).map((row) => [row.number, row.cells[0]])).toEqual([
      [2, 'a'],
      [5, '1'],
      [6, 'x\ny'],
      [7, '4'],
    ])
  })

  it('what csv-parse reads, however the text is written and cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r\n', ' ', '😀'), maxLength: 6 })
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
    const style = fc.record({ always: fc.boolean(), end: fc.constantFrom('\n', '\r\n') })
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
    const write = (value: string, always: boolean) => (always || /[",;\n\r]/.test(value) ? quote(value) : value)
    fc.assert(
      fc.property(table, style, fc.array(fc.nat(), { maxLength: 8 }), (rows, { always, end }, places) => {
        const text = rows.map((row) => row.map((value) => write(value, always)).join(',')).join(end)
        const theirs: string[][] = parse(text, { relax_column_count: true, record_delimiter: end })
        expect(read(cut(text, places)).map((row) => row.cells)).toEqual(theirs.filter((row) => !isBlank(row)))
      }),
      SEED,
    )
  })

  it('any text that csv-parse accepts in the same way, and any other without losing a row to how it was cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'b'), maxLength: 40 })
    const outcome = (run: () => unknown) => {
      try {
        return run()
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (written, places) => {
        const ours = outcome(() => read([written]))
        expect(outcome(() => read(cut(written, places)))).toEqual(ours)
        const theirs = outcome(() =>
          (parse(written, { relax_column_count: true, record_delimiter: '\n' }) as string[][]).filter((row) => !isBlank(row)),
        )
        if (Array.isArray(theirs)) expect((ours as { cells: string[] }[]).map((row) => row.cells)).toEqual(theirs)
      }),
      { ...SEED, numRuns: 3000 },
    )
  })
})
