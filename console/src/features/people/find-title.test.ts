import { expect, test } from 'vitest'
import { findTitle } from './find-title.ts'

const pages = [['Area manager', 'Bar manager'], ['Manager', 'Manager of the night'], ['Shift manager']]
const ask = async (token: string | undefined) => {
  const at = Number(token ?? 0)
  return { data: (pages[at] ?? []).map((value) => ({ value })), continuationToken: at + 1 < pages.length ? String(at + 1) : null }
}

test('a title is found behind the many that hold its name', async () => {
  expect(await findTitle(' Manager ', ask)).toContainEqual({ value: 'Manager' })
  expect(await findTitle('Man', ask)).toEqual([{ value: 'Shift manager' }])
})
