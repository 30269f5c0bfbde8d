import { applyPlan, type ChosenFile, downloadExport, giveFile, nextDay, planFile } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

let secondDay: ChosenFile
let wrongRun: string

test.beforeEach(async ({ page }) => {
  await signInAs(page, 'Amara')
})

test('A run is taken back: planned first, with what the source will say to it, then applied', async ({ page, server }) => {
  await bringPeopleIn(page, server)
  await nextDay(page.request, server.sandbox)
  secondDay = await downloadExport(page.request, server.sandbox)
  await giveFile(page, secondDay)
  await page.getByRole('combobox', { name: 'Division', exact: true }).selectOption('Person ID')
  await page.getByRole('button', { name: 'See what would change' }).click()
  await applyPlan(page)
  wrongRun = page.url()

  await page.getByRole('button', { name: 'Undo this run' }).click()
  await expect(page.getByText('The source still says what it said')).toBeVisible()
  await expect(page.getByText(/^This would .* Nothing has changed yet\.$/)).toBeVisible()
  // said once above the rows, not of each
  await expect(page.getByText('As it was before the run.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Open that run' }).click()
  await expect(page).toHaveURL(wrongRun)
  await expect(page.getByText('waits for a decision')).toBeVisible()
  await page.getByRole('link', { name: 'Open that run' }).click()
  await applyPlan(page)

  await page.goto(wrongRun)
  await expect(page.getByText(/^This run was undone on/)).toBeVisible()
})

test('An older configuration is compared, tried on what was read last, and put in force again', async ({ page }) => {
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Connectors' }).click()
  await page.getByRole('button', { name: 'HR export', exact: true }).click()
  await page.getByRole('link', { name: 'Configuration' }).click()
  const history = page.url()
  await page.getByRole('button', { name: 'Version 2' }).click()
  await expect(page.getByRole('row', { name: /Division/ })).toContainText('Column “Division”')
  await expect(page.getByRole('row', { name: /Division/ })).toContainText('Column “Person ID”')
  await expect(page.getByRole('button', { name: 'Put in force again' })).toBeDisabled()

  await page.goto(`${history}?version=1`)
  await page.getByRole('button', { name: 'Try on the last file' }).click()
  await expect(page.getByText('A trial of version 1 of the configuration. Nothing has changed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Apply the plan' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Undo this run' })).toHaveCount(0)

  await page.goto(`${history}?version=1`)
  await page.getByRole('button', { name: 'Put in force again' }).click()
  await page.getByRole('dialog', { name: 'Put version 1 in force again?' }).getByRole('button', { name: 'Put in force again' }).click()
  await expect(page.getByText('Version 3 is in force')).toBeVisible()
})

test('The next file plans again what was taken back, as the configuration in force reads it', async ({ page }) => {
  await planFile(page, secondDay)
  await expect(page.getByRole('tab', { name: /^Deactivated/ })).toContainText('1')
  await expect(page.getByRole('tab', { name: /^Reactivated/ })).toContainText('1')
  await expect(page.getByText('Person ID', { exact: true })).toHaveCount(0)
})
