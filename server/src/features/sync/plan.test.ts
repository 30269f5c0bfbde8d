import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMapper } from './map-record.ts'
import { type CurrentPerson, planLeaver, planRecord } from './plan.ts'
import type { PlannedRow } from './plan-row.ts'
import { resolveMapping } from './resolve-mapping.ts'

const HEADER = ['id', 'first', 'last', 'team']
const map = createMapper(
  resolveMapping(
    {
      fields: {
        externalId: { column: 'id' },
        givenName: { column: 'first' },
        familyName: { column: 'last' },
        department: { column: 'team' },
      },
    },
    HEADER,
  ),
)

/** The directory as the plan sees it: people by the key that they are linked under. */
type Directory = ReadonlyMap<string, Record<string, unknown>>

const asCurrent = (key: string, base: Record<string, unknown>): CurrentPerson => ({
  userId: key,
  version: 1,
  base,
  displayName: String(base['displayName']),
  employeeId: key,
  locked: false,
})

/** What the stages around the plan do in SQL, in the plainest way: keys, repetitions, links, leavers. */
const planFile = (file: readonly (readonly string[])[], directory: Directory): PlannedRow[] => {
  const keyOf = (cells: readonly string[]) => cells[0]?.trim() || null
  const counts = new Map<string | null, number>()
  for (const cells of file) counts.set(keyOf(cells), (counts.get(keyOf(cells)) ?? 0) + 1)
  const rows = file.flatMap((cells, index) => {
    const key = keyOf(cells)
    const base = key === null ? undefined : directory.get(key)
    const record = { rowNumber: index + 2, sourceKey: key, recordHash: '', sameKey: key === null ? 1 : (counts.get(key) ?? 1) }
    const match = { person: key !== null && base ? asCurrent(key, base) : null }
    return planRecord(record, { mapped: map(cells), match }, () => key ?? '') ?? []
  })
  const missing = [...directory].filter(([key, base]) => base['active'] === true && !counts.has(key))
  return [
    ...missing.map(([key, base]) => planLeaver({ ...asCurrent(key, base), sourceKey: key, asked: false }, counts.get(null) ?? 0)),
    ...rows,
  ]
}

const applyTo = (directory: Directory, rows: readonly PlannedRow[]): Directory => {
  const next = new Map(directory)
  for (const { kind, sourceKey, after } of rows) {
    if (kind === 'conflict' || kind === 'invalid' || sourceKey === null) continue
    const merged = { ...next.get(sourceKey), ...after }
    next.set(sourceKey, Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)))
  }
  return next
}

const cell = fc.constantFrom('', 'a', 'b', ' c ', 'é')
const key = fc.constantFrom('1', '2', '3', '4', '5', '6')
const someRow = fc.tuple(fc.oneof({ weight: 9, arbitrary: key }, { weight: 1, arbitrary: fc.constant('') }), cell, cell, cell)
const goodRow = fc.tuple(key, fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'), cell)
const someFile = fc.array(someRow, { maxLength: 8 })
const goodFile = fc.uniqueArray(goodRow, { maxLength: 6, selector: ([id]) => id })
const applied = (files: readonly (readonly (readonly string[])[])[]): Directory =>
  files.reduce<Directory>((directory, file) => applyTo(directory, planFile(file, directory)), new Map())

describe('a plan', () => {
  it('applied, makes the active people of the directory those of the file', () => {
    fc.assert(
      fc.property(fc.array(someFile, { maxLength: 3 }), goodFile, (history, file) => {
        const after = applied([...history, file])
        const active = new Map([...after].filter(([, base]) => base['active'] === true))
        expect([...active.keys()].sort()).toEqual(file.map(([id]) => id).sort())
        for (const [id, first, last, team] of file)
          expect(active.get(id)).toEqual({
            externalId: id,
            givenName: first,
            familyName: last,
            displayName: `${first} ${last}`,
            accessCodeDelivery: 'none',
            active: true,
            ...(team.trim() ? { department: team.trim() } : {}),
          })
      }),
      { seed: 11 },
    )
  })

  it('made again after it was applied holds nothing but what nobody could decide', () => {
    fc.assert(
      fc.property(fc.array(someFile, { maxLength: 3 }), someFile, (history, file) => {
        const kinds = planFile(file, applied([...history, file])).map(({ kind }) => kind)
        expect(kinds.filter((kind) => kind !== 'conflict' && kind !== 'invalid')).toEqual([])
      }),
      { seed: 11 },
    )
  })

  it('does not depend on the order of the rows', () => {
    const plain = (rows: PlannedRow[]) => rows.map(({ rowNumber: _, ...row }) => JSON.stringify(row)).sort()
    fc.assert(
      fc.property(someFile, someFile, fc.infiniteStream(fc.nat()), (history, file, order) => {
        const directory = applied([history])
        const shuffled = file.map((row) => ({ row, at: order.next().value })).sort((a, b) => a.at - b.at)
        expect(
          plain(
            planFile(
              shuffled.map(({ row }) => row),
              directory,
            ),
          ),
        ).toEqual(plain(planFile(file, directory)))
      }),
      { seed: 11 },
    )
  })

  it('deactivates nobody because of a row that is there and broken', () => {
    fc.assert(
      fc.property(goodFile, someFile, (history, file) => {
        const gone = planFile(file, applied([history])).filter(({ kind }) => kind === 'deactivate')
        const named = new Set(file.map(([id]) => id.trim()))
        expect(gone.filter(({ sourceKey }) => named.has(sourceKey ?? '') || named.has(''))).toEqual([])
      }),
      { seed: 11 },
    )
  })
})
