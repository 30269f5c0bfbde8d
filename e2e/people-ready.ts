import type { Page } from '@playwright/test'
import { downloadExport, type Exported, peopleIn } from './hr-export.ts'
import { expect } from './instep.ts'
import type { RunningServer } from './start-server.ts'

type Request = Parameters<Page['request']['fetch']>[1]

/** Calls the service in the name of whoever is signed in on the page. */
const callerOf = async (page: Page, { url }: RunningServer) => {
  const session = await page.evaluate(() => sessionStorage.getItem('instep.session'))
  const { accessToken } = JSON.parse(session ?? '{}') as { accessToken?: string }
  return async <Answer>(path: string, request: Request = {}): Promise<Answer> => {
    const answer = await page.request.fetch(`${url}/v1${path}`, { ...request, headers: { authorization: `Bearer ${accessToken}` } })
    expect(answer.ok(), `${path} is answered with ${answer.status()}`).toBe(true)
    return (await answer.json()) as Answer
  }
}

interface RunSoFar {
  readonly id: string
  readonly state: string
  readonly targets?: readonly { readonly pending: number; readonly paused: number; readonly failed: number; readonly inStep: number }[]
}

/**
 * Brings today's people of the HR system in and waits until every account is in step, for journeys that begin where people are. It calls the service as
 * the console does, because the way through the pages takes longer than most journeys and has journeys of its own (main-job.e2e.ts). The page stays
 * where it is.
 */
export const bringPeopleIn = async (page: Page, server: RunningServer): Promise<Exported[]> => {
  const file = await downloadExport(page.request, server.sandbox)
  const call = await callerOf(page, server)
  const { tenantId } = await call<{ tenantId: string }>('/me')
  const { data: connectors } = await call<{ data: { id: string; name: string }[] }>(`/connectors/${tenantId}/instances`)
  const source = connectors.find(({ name }) => name === 'HR export')?.id
  const { name, mimeType, buffer } = file
  const { id: fileId, mapping } = await call<{ id: string; mapping: object }>(`/connectors/${source}/files`, {
    method: 'POST',
    multipart: { file: { name, mimeType, buffer } },
  })
  const { id } = await call<RunSoFar>(`/connectors/${source}/runs`, { method: 'POST', data: { fileId, mapping } })
  const run = () => call<RunSoFar>(`/connectors/${tenantId}/runs/${id}`)
  const soon = { intervals: [50] }
  await expect.poll(async () => (await run()).state, soon).toBe('planned')
  await call(`/connectors/${tenantId}/runs/${id}/apply`, { method: 'POST', data: {} })
  await expect.poll(async () => (await run()).state, soon).toBe('succeeded')
  const people = peopleIn(file)
  const inStep = [expect.objectContaining({ pending: 0, paused: 0, failed: 0, inStep: people.length })]
  await expect.poll(async () => (await run()).targets, soon).toEqual(inStep)
  return people
}
