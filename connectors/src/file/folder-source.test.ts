import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeFetchingSource } from '../kit/testing/fetching-source-contract.ts'
import { createFolderSource } from './folder-source.ts'
import { csvOfPeople, filesIn } from './testing/held-file.ts'

const signal = new AbortController().signal
const pause = async () => {}
const settings = (properties: Record<string, unknown>) => ({ properties: { delivery: 'folder', ...properties }, secrets: {} })

describeFetchingSource('a folder', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'instep-root-'))
  mkdirSync(path.join(root, 'hr'))
  const put = filesIn(path.join(root, 'hr'))
  const open = (folder: string) => () => createFolderSource(settings({ folder }), { root, pause, stableSeconds: 1 })
  return {
    hold: async (people) => put(csvOfPeople(people)),
    open: open('hr'),
    openUnreachable: open('nowhere'),
    archived: async () => (existsSync(path.join(root, 'hr/archive')) ? readdirSync(path.join(root, 'hr/archive')) : []),
    close: async () => rmSync(root, { recursive: true, force: true }),
  }
})

describe('a watched folder', () => {
  let base: string
  let root: string
  let count = 0
  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'instep-folder-'))
    root = path.join(base, 'sources')
    mkdirSync(path.join(root, 'hr'), { recursive: true })
    mkdirSync(path.join(base, 'secret'))
    writeFileSync(path.join(base, 'secret/people.csv'), 'id,name\nX,Y\n')
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const source = (properties: Record<string, unknown> = {}, options: { pause?: () => Promise<void>; root?: string | undefined } = {}) =>
    createFolderSource(settings({ folder: 'hr', ...properties }), { root, pause, stableSeconds: 10, ...options })
  const fetchInto = (from: ReturnType<typeof source>, watermark: null | object = null) => {
    count += 1
    const file = path.join(base, `fetched-${count}`)
    return { file, fetched: from.fetch({ path: file, watermark: watermark as null, limit: 1_000_000, now: new Date(), signal }) }
  }

  it('is not read where the operator allows none', () => {
    expect(() => source({}, { root: undefined })).toThrowError(/SOURCE_FOLDER_OFF/)
  })

  it.each(['..', '../secret', 'hr/../../secret', '/etc', '..\\secret', 'C:\\people', 'hr\0'])('is refused as %j', async (folder) => {
    await expect(source({ folder }).test(signal)).rejects.toMatchObject({ code: 'SOURCE_FOLDER_REFUSED' })
  })

  it('is refused behind a link, at its end or on the way', async () => {
    symlinkSync(path.join(base, 'secret'), path.join(root, 'link'))
    symlinkSync(base, path.join(root, 'up'))
    for (const folder of ['link', 'up/secret', 'up/sources/hr'])
      await expect(source({ folder }).test(signal)).rejects.toMatchObject({ code: 'SOURCE_FOLDER_REFUSED' })
  })

  it('does not follow links that are put into it, nor into an archive that is one', async () => {
    symlinkSync(path.join(base, 'secret/people.csv'), path.join(root, 'hr/people.csv'))
    expect((await source().test(signal)).found).toBeNull()
    rmSync(path.join(root, 'hr/people.csv'))
    writeFileSync(path.join(root, 'hr/people.csv'), 'id\nA\n')
    const fetched = await fetchInto(source()).fetched
    symlinkSync(path.join(base, 'secret'), path.join(root, 'hr/archive'))
    await expect(source().settle?.({ watermark: fetched?.watermark ?? null }, signal)).rejects.toMatchObject({
      code: 'SOURCE_FOLDER_REFUSED',
    })
    expect(readdirSync(path.join(base, 'secret'))).toEqual(['people.csv'])
  })

  it('takes the newest file that fits, and never one that was left behind', async () => {
    const put = filesIn(path.join(root, 'hr'))
    put('id\nOld\n', 'people-1.csv')
    put('id\nNew\n', 'people-2.csv')
    put('id\nOther\n', 'other.csv')
    const first = fetchInto(source({ pattern: 'people-?.csv' }))
    const fetched = await first.fetched
    expect(fetched?.name).toBe('people-2.csv')
    await source().settle?.({ watermark: fetched?.watermark ?? null }, signal)
    expect(await fetchInto(source({ pattern: 'people-?.csv' }), fetched?.watermark as object).fetched).toBeUndefined()
  })

  it('waits until a file has stopped growing, and gives up on one that does not', async () => {
    const file = path.join(root, 'hr/people.csv')
    writeFileSync(file, 'id\nA\n')
    let looks = 0
    const growing = (most: number) => async () => {
      looks += 1
      if (looks <= most) writeFileSync(file, `id\n${'A\n'.repeat(looks + 1)}`)
    }
    const steady = fetchInto(source({}, { pause: growing(2) }))
    await steady.fetched
    expect(readFileSync(steady.file, 'utf8')).toBe('id\nA\nA\nA\n')
    looks = 0
    await expect(fetchInto(source({}, { pause: growing(1000) })).fetched).rejects.toMatchObject({ code: 'SOURCE_GROWING', retryable: true })
  })

  it('with manifests takes nothing without one, and refuses a file that it does not agree with', async () => {
    const put = filesIn(path.join(root, 'hr'))
    const content = 'id,name\nA,a\nB,b\n'
    const sha256 = createHash('sha256').update(content).digest('hex')
    put(content)
    expect(await fetchInto(source({ ready: 'manifest' })).fetched).toBeUndefined()
    for (const [manifest, reason] of [
      ['{', 'unreadable'],
      ['{}', 'unreadable'],
      ['null', 'unreadable'],
      ['{"rows":"2"}', 'unreadable'],
      ['{"rows":3}', 'rows'],
      [JSON.stringify({ rows: 2, sha256: 'f'.repeat(64) }), 'sha256'],
    ]) {
      writeFileSync(path.join(root, 'hr/people.csv.manifest.json'), String(manifest))
      const { file, fetched } = fetchInto(source({ ready: 'manifest' }))
      await expect(fetched).rejects.toMatchObject({ code: 'SOURCE_MANIFEST_WRONG', params: { reason } })
      expect(() => readFileSync(file)).toThrow()
    }
    writeFileSync(path.join(root, 'hr/people.csv.manifest.json'), JSON.stringify({ rows: 2, sha256 }))
    const fetched = await fetchInto(source({ ready: 'manifest' })).fetched
    await source({ ready: 'manifest' }).settle?.({ watermark: fetched?.watermark ?? null }, signal)
    expect(readdirSync(path.join(root, 'hr'))).toEqual(['archive'])
    expect(readdirSync(path.join(root, 'hr/archive'))).toHaveLength(2)
  })
})
