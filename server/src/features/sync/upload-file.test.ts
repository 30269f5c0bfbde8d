import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'

const LIMIT = 200_000
let app: TestApp
const connector = { source: uuidv7(), disabled: uuidv7(), target: uuidv7() }

beforeAll(async () => {
  app = await testApp({ env: { MAX_FILE_BYTES: String(LIMIT) } })
  const { id } = app.world.one
  await sql`
    insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type, enabled) values
      (${id}, ${connector.source}, 'HR', 'file', 'source', 'file', true), (${id}, ${connector.disabled}, 'Old HR', 'file', 'source', 'file', false),
      (${id}, ${connector.target}, 'Workplace', 'scim', 'target', 'target', true)`.execute(app.database.db)
})
afterAll(() => app.close())

const kept = (): string[] => {
  const folder = path.join(app.dataDir, 'files')
  return existsSync(folder) ? readdirSync(folder) : []
}

const send = async (connectorId: string, init: RequestInit & { duplex?: 'half' }) => {
  const response = await fetch(`${app.url}/v1/connectors/${connectorId}/files`, {
    ...init,
    method: 'POST',
    headers: { authorization: `Bearer ${await app.tokenOf('tenant')}`, ...init.headers },
  })
  return { status: response.status, body: (await response.json()) as { id?: string; code?: string; columns?: { name: string }[] } }
}

const formOf = (content: string, part = 'file'): FormData => {
  const form = new FormData()
  form.append(part, new Blob([content]), 'people.csv')
  return form
}

const BOUNDARY = 'b0undary'
const HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\ncontent-type: text/csv\r\n\r\n`

/** A body whose size nobody announces; it counts what was asked of it. */
const endless = (pieces: number) => {
  let given = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      given += 1
      if (given > pieces) return controller.close()
      controller.enqueue(Buffer.from(given === 1 ? `${HEAD}id,name\n` : 'E1,Ada\n'.repeat(10_000)))
    },
  })
  return { body, given: () => given }
}

describe('an upload is refused and leaves nothing', () => {
  it('when it is larger than allowed and says so', async () => {
    expect(await send(connector.source, { body: formOf('id,name\n'.repeat(60_000)) })).toMatchObject({
      status: 413,
      body: { code: 'FILE_TOO_LARGE' },
    })
    expect(kept()).toEqual([])
  })

  it('when it is larger than allowed and does not say so, long before it is all there', async () => {
    const { body, given } = endless(1000)
    const sent = send(connector.source, { body, duplex: 'half', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } })
    // the server may hang up before the answer is read
    const answer = await sent.catch(() => undefined)
    expect(answer?.body.code ?? 'FILE_TOO_LARGE').toBe('FILE_TOO_LARGE')
    expect(given()).toBeLessThan(500)
    await expect.poll(kept).toEqual([])
  })

  it('when it is cut off on its way', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(Buffer.from(`${HEAD}id,name\nE1`))
        controller.error(new Error('the cable was pulled'))
      },
    })
    await send(connector.source, { body, duplex: 'half', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }).catch(
      () => undefined,
    )
    await expect.poll(kept).toEqual([])
  })

  it.each([
    ['when it is no table', formOf('<html><body>Sign in</body></html>'), { status: 422, body: { code: 'FILE_NOT_TABULAR' } }],
    ['when it is empty', formOf(''), { status: 422, body: { code: 'FILE_EMPTY' } }],
    ['when the part has another name', formOf('id,name\n1,a\n', 'attachment'), { status: 400, body: { code: 'FILE_MISSING' } }],
  ])('%s', async (_, body, answer) => {
    expect(await send(connector.source, { body })).toMatchObject(answer)
    expect(kept()).toEqual([])
  })

  it.each([
    ['for a target', connector.target, 'CONNECTOR_KIND_WRONG'],
    ['for a connector that is disabled', connector.disabled, 'CONNECTOR_DISABLED'],
  ])('%s', async (_, id, code) => {
    expect((await send(id, { body: formOf('id,name\n1,a\n') })).body.code).toBe(code)
    expect(kept()).toEqual([])
  })
})

it('an upload is kept, described, and nothing else changes', async () => {
  const { status, body } = await send(connector.source, { body: formOf('id,name\n1,Ada\n') })
  expect(status).toBe(201)
  expect(body.columns?.map(({ name }) => name)).toEqual(['id', 'name'])
  expect(kept()).toEqual([body.id])
  expect((await sql`select from runs`.execute(app.database.db)).rows).toEqual([])
})
