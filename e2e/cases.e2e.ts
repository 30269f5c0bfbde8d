import type { Page } from '@playwright/test'
import { type ChosenFile, planFile } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'

test.describe.configure({ mode: 'serial' })

const HEADER = 'Person ID,First name,Last name,Date of birth,Location,Work email'
const STAYING = ['P2', 'P3', 'P4', 'P5'].map((id) => `${id},Olga,Petrov ${id},17/03/198${id.slice(1)},London,${id}@northwind.example`)
const MAYA = 'Maya,Okafor,25/12/1990,London'
const fileOf = (...people: string[]): ChosenFile => ({
  name: 'people.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADER, ...STAYING, ...people, ''].join('\n')),
})

const goTo = (page: Page, name: string | RegExp) => page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name }).click()
const apply = async (page: Page) => {
  await page.getByRole('button', { name: 'Apply the plan' }).click()
  await expect(page.getByText(/^Done: /)).toBeVisible()
}

test.beforeEach(async ({ page }) => {
  await signInAs(page, 'Amara')
})

test('Somebody leaves', async ({ page }) => {
  await planFile(page, fileOf(`P1,${MAYA},maya@northwind.example`))
  await apply(page)
  await planFile(page, fileOf())
  await expect(page.getByText('This would deactivate 1 person.')).toBeVisible()
  await apply(page)
})

test('They come back under another id: nobody is created, and the case shows both side by side', async ({ page }) => {
  await planFile(page, fileOf(`X9,${MAYA},maya.okafor@northwind.example`))
  await page.getByRole('tab', { name: 'Conflicts 1' }).click()
  // once among the causes, with the row as its example, and once at the row itself
  await expect(page.getByText(/^Row 6, Maya Okafor: It looks like Maya Okafor, who is inactive\./)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: /^It looks like Maya Okafor, who is inactive\./ })).toBeVisible()
  await page.getByRole('link', { name: 'Decide in Cases' }).click()
  await expect(page.getByText('This looks like somebody who is inactive. Have they come back?')).toBeVisible()
  const table = page.getByRole('table', { name: 'The record and the people it may be' })
  await expect(table.getByRole('columnheader', { name: /Maya Okafor/ })).toContainText('Inactive since')
  await expect(table.getByRole('row', { name: /^Last name/ }).getByRole('img', { name: 'The same' })).toBeVisible()
  await expect(table.getByRole('row', { name: /^External ID/ }).getByRole('img', { name: 'Different' })).toBeVisible()
  await expect(table.getByRole('row', { name: /^Delivery type/ })).toContainText('Work email address')
})

test('The case waits in the navigation; answered and taken back by keyboard, it is open again', async ({ page }) => {
  await goTo(page, /^Cases.*1 open case/)
  const row = page.getByRole('button', { name: /Maya Okafor/ })
  await row.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Ignore this record' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Ignore this record?' })
  await dialog.getByRole('button', { name: 'Ignore this record' }).click()
  await expect(dialog.getByText('Please enter a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('a test record')
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Ignore this record' }).click()
  await expect(page.getByText('Reason: a test record')).toBeVisible()
  await page.getByRole('button', { name: 'Take the answer back' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Link to Maya Okafor' })).toBeVisible()
})

test('Linked, the plan made again brings the same person back under the new id', async ({ page }) => {
  await goTo(page, /^Cases/)
  await page.getByRole('button', { name: /Maya Okafor/ }).click()
  const table = page.getByRole('table', { name: 'The record and the people it may be' })
  const before = await table.getByRole('link', { name: 'Maya Okafor' }).getAttribute('href')
  await page.getByRole('button', { name: 'Link to Maya Okafor' }).click()
  await expect(page.getByText('Linked to a known person.')).toBeVisible()
  await page.getByRole('link', { name: 'Open the run' }).click()
  await page.getByRole('button', { name: 'Plan again' }).click()
  await expect(page.getByText('This would reactivate 1 person. Nothing has changed yet.')).toBeVisible()
  await page.getByRole('tab', { name: 'Reactivated 1' }).click()
  await expect(page.getByText('Linked by an answer in Cases.')).toBeVisible()
  await apply(page)
  await page.goto(before ?? '')
  const profile = page.getByRole('dialog', { name: 'View profile' })
  await expect(profile.getByText('X9', { exact: true }).first()).toBeVisible()
})

test('Matching is set on the connector’s page, and stays', async ({ page }) => {
  const open = async () => {
    await goTo(page, 'Connectors')
    await page.getByRole('button', { name: 'HR export', exact: true }).click()
  }
  await open()
  const matching = page.getByRole('region', { name: 'Matching' })
  await matching.getByLabel('Add a key').selectOption('Employee id')
  await matching.getByLabel('How Employee id is compared').selectOption('Normalised')
  await expect(matching.getByText(/leading zeros/)).toBeVisible()
  await matching.getByRole('button', { name: 'Move Employee id up' }).focus()
  await page.keyboard.press('Enter')
  await matching.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Matching saved. It counts from the next run on.')).toBeVisible()
  await page.reload()
  await expect(matching.getByRole('listitem').first()).toContainText('Employee id')
  await expect(matching.getByLabel('How Employee id is compared')).toHaveValue('normalised')
})
