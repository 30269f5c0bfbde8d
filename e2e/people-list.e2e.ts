import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Exported } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

let everybody: Exported[] = []

const rows = (page: Page) => page.getByRole('rowheader')
const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select (?!everyone)/ })
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Filter people' })

/** Where most people work, and how many do. */
const largestLocation = (): [string, number] => {
  const sizes = new Map<string, number>()
  for (const { location } of everybody) sizes.set(location, (sizes.get(location) ?? 0) + 1)
  return [...sizes].sort((a, b) => b[1] - a[1])[0] ?? ['', 0]
}

test('Where no connector is offered and nobody is there, the list says so in the documented words', async ({ page }) => {
  await signInAs(page, 'Saskia', '/users')
  await expect(page.getByText("You can't access this page without the connectors")).toBeVisible()
})

test('Nothing is exported of nobody', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export people' })
  await expect(dialog.getByText('No data to download').first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Export' })).toHaveAttribute('aria-disabled', 'true')
})

test('The address holds order, columns and page size, and brings them back', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  everybody = await bringPeopleIn(page, server)
  await page.goto('/users')
  const start = page.getByRole('columnheader', { name: 'Start date' })
  await start.getByRole('button').click()
  await expect(start).toHaveAttribute('aria-sort', 'ascending')
  await start.getByRole('button').press('Enter')
  await expect(start).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Choose columns' }).click()
  await page.getByRole('checkbox', { name: 'External ID' }).check()
  await page.getByRole('button', { name: 'Move External ID forward' }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Rows per page').selectOption('25')
  await expect(page.getByText('25 of 60 shown')).toBeVisible()

  const heads = await page.getByRole('columnheader').allInnerTexts()
  const first = await rows(page).first().textContent()
  const { search } = new URL(page.url())
  expect(search).toContain('sort=-startDate')
  await page.goto(`/users${search}`)
  await expect(page.getByText('25 of 60 shown')).toBeVisible()
  await expect(start).toHaveAttribute('aria-sort', 'descending')
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(heads)
  expect(heads.join()).toMatch(/External ID.*Start date/)
  await expect(rows(page).first()).toHaveText(first ?? '')
})

test('A filter says what is missing, is said in words, and goes away again', async ({ page }) => {
  const [location, count] = largestLocation()
  await signInAs(page, 'Amara', '/users')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await drawer(page).getByRole('button', { name: 'Apply filter' }).click()
  await expect(drawer(page).getByText('Please select or enter all the data to add condition')).toBeVisible()
  await expect(drawer(page).getByRole('combobox', { name: 'Field' })).toBeFocused()

  await drawer(page).getByRole('combobox', { name: 'Field' }).selectOption('Location')
  await drawer(page).getByRole('combobox', { name: 'Comparison' }).selectOption('is one of')
  await drawer(page).getByRole('combobox', { name: 'Values' }).fill(location)
  await drawer(page).getByRole('combobox', { name: 'Values' }).press('Enter')
  await drawer(page).getByRole('button', { name: 'Group', exact: true }).click()
  await drawer(page).getByRole('combobox', { name: 'Field' }).last().selectOption('Locked')
  await drawer(page).getByRole('combobox', { name: 'Value', exact: true }).selectOption('No')
  await expect(drawer(page).getByText(`People whose location is ${location} and record is not locked.`)).toBeVisible()
  await expect(drawer(page).getByText(`${count} people match`)).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Apply filter' }).click()
  await expect(page.getByText(`${count} people`, { exact: true })).toBeVisible()

  await page.reload()
  await expect(page.getByText(`${count} people`, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the condition: Record is not locked' }).click()
  await expect(page.getByRole('button', { name: /^Remove the condition/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(page.getByText('60 people', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()
})

test('A long list of ids is taken as it was pasted; only an id that is too long itself is refused', async ({ page }) => {
  const ids = Array.from({ length: 200 }, (_, index) => `ID-${1000 + index}`)
  await signInAs(page, 'Amara', '/users')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await drawer(page).getByRole('combobox', { name: 'Field' }).selectOption('External ID')
  await drawer(page).getByRole('combobox', { name: 'Comparison' }).selectOption('is one of')
  const values = drawer(page).getByRole('combobox', { name: 'Values' })
  const tooLong = drawer(page).getByText('This is too long. Shorten it.')
  await values.fill([...ids, 'x'.repeat(1001)].join(', '))
  await expect(tooLong).toBeVisible()
  await values.fill(ids.join(', '))
  await expect(tooLong).toBeHidden()
  await values.press('Enter')
  await expect(drawer(page).getByRole('button', { name: /^Remove .*ID-1\d\d\d/ })).toHaveCount(200)
})

test('A site group that is gone does not narrow the list, and that is said', async ({ page }) => {
  await signInAs(page, 'Amara', '/users?siteGroupId=5f0b8f4e-7c1d-4b6a-9a51-0d6c7e2f9b11')
  await expect(page.getByText('The site group in this address is gone or not yours to see')).toBeVisible()
  await expect(page.getByText('60 people', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(page.getByText('The site group in this address is gone or not yours to see')).toBeHidden()
})

test('A range, a page and everyone are selected, and everyone selected is exported once each', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  await boxes(page).nth(1).click()
  await boxes(page)
    .nth(4)
    .click({ modifiers: ['Shift'] })
  const bar = page.getByRole('toolbar', { name: 'Selected people' })
  await expect(bar.getByText('4 selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export people' })
  await expect(dialog.getByRole('rowheader')).toHaveCount(4)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.getByRole('checkbox', { name: 'Select everyone on this page' }).click()
  await bar.getByRole('button', { name: 'Select all 60' }).click()
  await expect(bar.getByText('60 selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/)
  expect(lines).toHaveLength(61)
  for (const { employeeId } of everybody) expect(lines.filter((line) => line.split(',').includes(employeeId))).toHaveLength(1)

  await page.reload()
  await expect(page.getByText(/people-.*\.csv is ready\./)).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page).not.toHaveURL(/export=/)
})

test('A view is saved, shows that it was changed, and comes back by its name', async ({ page }) => {
  await signInAs(page, 'Amara', '/users?status=notInvited&sort=-externalId')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await name.fill('To invite '.repeat(7))
  await page.keyboard.press('Enter')
  await expect(name).toHaveAccessibleDescription(/This is too long\. Shorten it\./)
  await expect(name).toHaveValue('To invite '.repeat(7))
  await name.fill('To invite')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'To invite', exact: true })).toBeVisible()

  await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'To invite Changed' }).click()
  await page.getByRole('menuitemradio', { name: 'To invite' }).click()
  await expect(page.getByRole('button', { name: 'To invite', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/status=notInvited/)

  await page.getByRole('button', { name: 'To invite', exact: true }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page.getByRole('dialog', { name: 'Delete view?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Views', exact: true })).toBeVisible()
})
