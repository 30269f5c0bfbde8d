import { expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import type { Answer } from './record-outcomes.ts'
import { createRecorder } from './recorder.ts'

const answer = (userId: string) => ({ row: { userId } }) as unknown as Answer
const idOf = ({ row }: Answer) => row.userId
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('a batch that cannot be written is tried once more, then dropped and told, and the next one is written', async () => {
  const tries: string[][] = []
  const told: string[][] = []
  const recorder = createRecorder({
    log: silentLog,
    write: async (answers) => {
      tries.push(answers.map(idOf))
      if (tries.length <= 2) throw new Error('the database is away')
    },
    written: (answers) => told.push(answers.map(idOf)),
  })
  recorder.add(answer('a'))
  await recorder.flush()
  recorder.add(answer('b'))
  await recorder.flush()
  expect(tries).toEqual([['a'], ['a'], ['b']])
  expect(told).toEqual([['a'], ['b']])
  expect(recorder.backlog()).toBe(0)
})

test('an answer that comes alone is written by itself after a moment', async () => {
  const seen: string[] = []
  const recorder = createRecorder({ log: silentLog, write: async (answers) => seen.push(...answers.map(idOf)), written: () => {} })
  recorder.add(answer('a'))
  await pause(60)
  expect(seen).toEqual(['a'])
})

test('answers that come in waves while others are written are all written once and in order, and flushing always ends', async () => {
  const seen: string[] = []
  const batches: number[] = []
  const recorder = createRecorder({
    log: silentLog,
    write: async (answers) => {
      await pause(answers.length % 3)
      batches.push(answers.length)
      seen.push(...answers.map(idOf))
    },
    written: () => {},
  })
  const sent: string[] = []
  for (const wave of [500, 1, 499, 1200, 3, 500, 500, 0, 4999, 7]) {
    for (let n = 0; n < wave; n++) {
      sent.push(String(sent.length))
      recorder.add(answer(sent.at(-1) ?? ''))
    }
    await pause(wave % 2 ? 30 : 1)
  }
  // the timer of a wave that was written meanwhile must not find a recorder that thinks it is busy for ever
  await pause(40)
  await recorder.flush()
  await recorder.flush()
  expect(seen).toEqual(sent)
  expect(Math.max(...batches)).toBe(2000)
})
