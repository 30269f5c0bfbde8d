import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from './instep.ts'

type Trouble = 'missing-people' | 'header-only' | 'renamed-column' | 'bad-rows'

interface Asked {
  format?: 'csv' | 'xlsx'
  /** What a bad day's export looks like. */
  trouble?: Trouble
}

/** A file as a person chooses it. */
export interface ChosenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** One person of a CSV export, as the tests look for them. */
export interface Exported {
  readonly employeeId: string
  readonly name: string
  readonly location: string
}

const hrOf = (sandbox: string): string => `${sandbox}/hr/northwind`

/** Downloads today's export from the HR system. */
export const downloadExport = async (request: APIRequestContext, sandbox: string, asked: Asked = {}): Promise<ChosenFile> => {
  const { format = 'csv', trouble } = asked
  const answer = await request.get(`${hrOf(sandbox)}/export.${format}`, { params: trouble ? { trouble } : {} })
  expect(answer.ok()).toBe(true)
  const name = /filename="([^"]+)"/.exec(answer.headers()['content-disposition'] ?? '')?.[1] ?? `export.${format}`
  return { name, mimeType: answer.headers()['content-type'] ?? '', buffer: await answer.body() }
}

const COMMA_OUTSIDE_QUOTES = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/

/** Everybody in a CSV export. */
export const peopleIn = (file: ChosenFile): Exported[] => {
  const [header = [], ...rows] = file.buffer
    .toString('utf8')
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => line.split(COMMA_OUTSIDE_QUOTES))
  return rows.map((cells) => {
    expect(cells).toHaveLength(header.length)
    const cell = (name: string): string => cells[header.indexOf(name)] ?? ''
    return { employeeId: cell('Employee ID'), name: `${cell('First name')} ${cell('Last name')}`, location: cell('Location') }
  })
}

/** Lets the HR system go to its next day: people join, move and leave. */
export const nextDay = async (
  request: APIRequestContext,
  sandbox: string,
): Promise<{ joiners: number; movers: number; leavers: number }> => {
  const answer = await request.post(`${hrOf(sandbox)}/next-day`, { headers: { accept: 'application/json' } })
  expect(answer.ok()).toBe(true)
  return (await answer.json()) as { joiners: number; movers: number; leavers: number }
}

/** What the workplace has received and holds. */
export const workplaceStats = async (request: APIRequestContext, sandbox: string) => {
  const answer = await request.get(`${sandbox}/workplace/northwind/stats`)
  return (await answer.json()) as { total: number; requests: Record<string, number>; accounts: number; active: number }
}

/** Gives the HR export's connector a file, starting on any page of the console; ends on the step that maps its columns. */
export const giveFile = async (page: Page, file: ChosenFile): Promise<void> => {
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Connectors' }).click()
  await page.getByRole('button', { name: 'HR export', exact: true }).click()
  await page.getByRole('link', { name: 'Import people' }).click()
  await page.getByLabel('Drop a CSV or XLSX file here, or choose one').setInputFiles(file)
}

/** Gives a file and goes on to its plan. */
export const planFile = async (page: Page, file: ChosenFile): Promise<void> => {
  await giveFile(page, file)
  await page.getByRole('button', { name: 'See what would change' }).click()
  await expect(page.getByRole('tablist', { name: 'Kinds of change' })).toBeVisible()
}

/** Applies the plan that is open and waits until every account is in step. */
export const applyPlan = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Apply the plan' }).click()
  await expect(page.getByText(/^Done: /)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Accounts at the targets' }).getByText(/in step$/)).toBeVisible()
}
