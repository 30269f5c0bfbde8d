import type { Page } from '@playwright/test'
import {
  applyPlan,
  type ChosenFile,
  downloadExport,
  type Exported,
  giveFile,
  nextDay,
  peopleIn,
  planFile,
  workplaceStats,
} from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'

test.describe.configure({ mode: 'serial' })

const NOBODY: Exported = { employeeId: '', name: '', location: '' }

let firstDay: ChosenFile
let somebody: Exported

const tab = (page: Page, name: string, count: number) => page.getByRole('tab', { name: `${name} ${count}`, exact: true })
const rows = (page: Page) => page.getByRole('rowheader')
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click()

test.beforeEach(async ({ page }) => {
  await signInAs(page, 'Amara')
})

test('A file that is no table is refused beside the drop, and nothing has happened', async ({ page }) => {
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  await giveFile(page, { name: 'people.csv', mimeType: 'text/csv', buffer: picture })
  await expect(page.getByRole('alert')).toContainText('people.csv was not taken. Nothing has changed.')
  await expect(page.getByRole('alert')).toContainText('CSV')
  await expect(page.getByLabel('Drop a CSV or XLSX file here, or choose one')).toBeAttached()
  await goTo(page, 'Syncs')
  await expect(page.getByText('No run has been made yet')).toBeVisible()
})

test('An export becomes a plan, and the plan changes nothing before it is applied', async ({ page, server }) => {
  firstDay = await downloadExport(page.request, server.sandbox)
  somebody = peopleIn(firstDay)[7] ?? NOBODY
  await giveFile(page, firstDay)
  await expect(page.getByText('The columns below were suggested')).toBeVisible()
  for (const [field, column] of [
    ['External ID', 'Person ID'],
    ['First name', 'First name'],
    ['Last name', 'Last name'],
    ['Location', 'Location'],
    ['Work email', 'Work email'],
    ['Start date', 'Start date'],
  ] as const)
    await expect(page.getByRole('combobox', { name: field, exact: true })).toHaveValue(column)
  await expect(
    page.getByRole('region', { name: 'First rows of the file' }).getByText(somebody.employeeId.slice(0, 3)).first(),
  ).toBeAttached()

  await page.getByRole('button', { name: 'See what would change' }).click()
  await expect(page.getByText('This would create 60 people. Nothing has changed yet.')).toBeVisible()
  await expect(tab(page, 'Created', 60)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('25 of 60 shown')).toBeVisible()
  await expect(rows(page)).toHaveCount(25)

  await goTo(page, 'People')
  await expect(page.getByText('There is no one here yet')).toBeVisible()
  expect(await workplaceStats(page.request, server.sandbox)).toMatchObject({ total: 0, accounts: 0 })
})

test('A row of the plan tells everything about its person', async ({ page }) => {
  await goTo(page, 'Syncs')
  await page.getByRole('button', { name: 'HR export', exact: true }).click()
  await page.getByLabel('Search name or ID').fill(somebody.employeeId)
  await expect(page.getByText('1 row shown')).toBeVisible()
  await page.getByRole('button', { name: somebody.name }).click()
  const drawer = page.getByRole('dialog', { name: somebody.name })
  await expect(drawer.getByText('A new person is created.')).toBeVisible()
  await expect(drawer.getByText(somebody.employeeId)).not.toHaveCount(0)
})

test('Applying brings everybody in, here and at the workplace', async ({ page, server }) => {
  await goTo(page, 'Syncs')
  await page.getByRole('button', { name: 'HR export', exact: true }).click()
  await applyPlan(page)
  await expect(page.getByText('Done: 60 people created.')).toBeVisible()
  await expect(page.getByText('60 accounts in step')).toBeVisible()

  await page.getByRole('link', { name: 'See the people' }).click()
  await expect(page.getByText('60 people', { exact: true })).toBeVisible()
  await expect(page.getByText('10 of 60 shown')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows(page)).toHaveCount(20)

  expect(await workplaceStats(page.request, server.sandbox)).toMatchObject({ accounts: 60, active: 60 })
  await page.goto(`${server.sandbox}/workplace/northwind`)
  await expect(page.getByRole('definition').first()).toHaveText('60')
  await page.getByLabel('Search').fill(somebody.name)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('link', { name: somebody.name })).toBeVisible()
})

test('A person is found by name, and the profile opens by a click and by its address', async ({ page }) => {
  await goTo(page, 'People')
  await page.getByLabel('Search name, employee ID or email').fill(somebody.name)
  await expect(page.getByText('1 of 1 shown')).toBeVisible()
  await page.getByRole('button', { name: somebody.name }).click()
  const profile = page.getByRole('dialog', { name: 'View profile' })
  await expect(profile.getByText(`${somebody.name}, ${somebody.employeeId}`)).toBeVisible()
  await expect(profile.getByText('In step')).toBeVisible()
  await expect(page).toHaveURL(/userId=[^&]+&connectorId=/)

  const { searchParams } = new URL(page.url())
  await page.goto(`/users?userId=${searchParams.get('userId')}&connectorId=${searchParams.get('connectorId')}`)
  await expect(profile.getByText(`${somebody.name}, ${somebody.employeeId}`)).toBeVisible()
  await profile.getByRole('button', { name: 'Close' }).last().click()
  await expect(profile).toBeHidden()
  await expect(page).not.toHaveURL(/userId/)
})

test('The same export once more changes nothing, and the workplace hears nothing', async ({ page, server }) => {
  const before = await workplaceStats(page.request, server.sandbox)
  await planFile(page, firstDay)
  await expect(page.getByText('Nothing would change: everyone in the file is as the directory has them.')).toBeVisible()
  await expect(tab(page, 'Unchanged', 60)).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('Done. There was nothing to change.')).toBeVisible()
  expect(await workplaceStats(page.request, server.sandbox)).toEqual(before)
})

test('The same people as a workbook are the same people', async ({ page, server }) => {
  const before = await workplaceStats(page.request, server.sandbox)
  await planFile(page, await downloadExport(page.request, server.sandbox, { format: 'xlsx' }))
  await expect(page.getByText('Nothing would change: everyone in the file is as the directory has them.')).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('Done. There was nothing to change.')).toBeVisible()
  expect(await workplaceStats(page.request, server.sandbox)).toEqual(before)
})

test('The next day shows what changes, before and after, and who leaves, and carries it out', async ({ page, server }) => {
  const changed = await nextDay(page.request, server.sandbox)
  expect(changed.leavers).toBeGreaterThan(0)
  const today = await downloadExport(page.request, server.sandbox)
  const ids = new Set(peopleIn(today).map(({ employeeId }) => employeeId))
  const leaver = peopleIn(firstDay).find(({ employeeId }) => !ids.has(employeeId)) ?? NOBODY

  await planFile(page, today)
  await tab(page, 'Updated', changed.movers).click()
  await expect(rows(page)).toHaveCount(changed.movers)
  await rows(page).first().getByRole('button').click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText('The person is updated.')).toBeVisible()
  await expect(drawer.getByRole('img', { name: 'Changed' })).not.toHaveCount(0)
  await page.keyboard.press('Escape')

  await tab(page, 'Deactivated', changed.leavers).click()
  const leaving = page.getByRole('row').filter({ has: page.getByRole('button', { name: leaver.name }) })
  await expect(leaving.getByText('No longer in the file.')).toBeVisible()
  await applyPlan(page)

  await page.goto(`${server.sandbox}/workplace/northwind?state=deactivated`)
  await expect(page.getByRole('link', { name: leaver.name })).toBeVisible()
  await expect(page.getByRole('definition').nth(2)).toHaveText(String(changed.leavers))
})

test('A cut-off export is held, asks why, and changes nothing when it is rejected', async ({ page, server }) => {
  const before = await workplaceStats(page.request, server.sandbox)
  await planFile(page, await downloadExport(page.request, server.sandbox, { trouble: 'missing-people' }))
  await expect(page.getByText('This run is held. Nothing has changed.')).toBeVisible()
  await expect(
    page.getByText(/It would deactivate 18 of 60 active people \(\d+%.* A cut-off or filtered export looks like this\./),
  ).toBeVisible()

  await page.getByRole('button', { name: 'Apply with this reason' }).click()
  await expect(page.getByText('Please enter a reason')).toBeVisible()
  await expect(page.getByText('This run is held. Nothing has changed.')).toBeVisible()

  await page.getByRole('button', { name: 'Reject the plan' }).click()
  await page.getByRole('dialog', { name: 'Reject this plan?' }).getByRole('button', { name: 'Reject the plan' }).click()
  await expect(page.getByRole('main').getByText('The plan was rejected. Nothing has changed.')).toBeVisible()

  await goTo(page, 'People')
  await page.getByRole('radio', { name: 'Active', exact: true }).check({ force: true })
  await expect(page.getByText('60 people', { exact: true })).toBeVisible()
  expect(await workplaceStats(page.request, server.sandbox)).toEqual(before)
})

test('The log shows what a run did under its correlation ID', async ({ page }) => {
  await goTo(page, 'Syncs')
  await page.getByRole('button', { name: 'HR export', exact: true }).first().click()
  await page.getByRole('link', { name: 'Log of this run' }).click()
  await expect(page).toHaveURL(/correlationId=./)
  const correlationId = new URL(page.url()).searchParams.get('correlationId') ?? ''
  await goTo(page, 'Logs')
  const search = page.getByLabel('Search by correlation ID')
  await expect(search).toHaveValue('')
  await search.fill(correlationId)
  await expect(rows(page)).toHaveCount(4)
  for (const event of ['run.started', 'run.planned', 'run.held', 'run.rejected'])
    await expect(page.getByRole('table', { name: 'Logs' }).getByText(event)).toHaveCount(1)
  await expect(rows(page).filter({ hasNotText: correlationId })).toHaveCount(0)
  await page
    .getByRole('button', { name: /^More details/ })
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: correlationId })
  await expect(drawer.getByRole('list', { name: 'Related entries' }).getByText('run.planned')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})
