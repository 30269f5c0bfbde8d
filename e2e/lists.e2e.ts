import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { applyPlan, downloadExport, type Exported, nextDay, peopleIn, planFile } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

let everybody: readonly Exported[] = []
let leavers: readonly Exported[] = []

const count = (page: Page, people: number) => page.getByText(people === 1 ? '1 person' : `${people} people`, { exact: true })
const search = (page: Page) => page.getByLabel('Search name, employee ID or email')
const category = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true })

test('Every category holds its people, here and at a site', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  everybody = await bringPeopleIn(page, server)
  await nextDay(page.request, server.sandbox)
  const today = await downloadExport(page.request, server.sandbox)
  const stay = new Set(peopleIn(today).map(({ employeeId }) => employeeId))
  leavers = everybody.filter(({ employeeId }) => !stay.has(employeeId))
  await planFile(page, today)
  await applyPlan(page)
  await page.getByRole('link', { name: 'See the people' }).click()
  const all = stay.size + leavers.length
  for (const [name, people] of [
    ['All', all],
    ['Active', stay.size],
    ['Inactive', leavers.length],
    ['Not invited', stay.size],
    ['Claimed', 0],
  ] as const) {
    await category(page, name)
    await expect(count(page, people)).toBeVisible()
  }
  await expect(page.getByText('No one matches these filters')).toBeVisible()
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Inactive' }).click()
  await expect(page.getByRole('rowheader')).toHaveCount(leavers.length)
  for (const { name } of leavers) await expect(page.getByRole('rowheader').filter({ hasText: name })).toHaveCount(1)

  await page.getByRole('combobox', { name: 'Connector' }).selectOption('Added by hand')
  await expect(count(page, 0)).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(count(page, all)).toBeVisible()
  await page.getByRole('button', { name: /^Choose a site/ }).click()
  await page.getByRole('option', { name: 'London Bridge' }).click()
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible()
  const here = peopleIn(today).filter(({ location }) => location === 'London Bridge')
  await category(page, 'Active')
  await expect(count(page, here.length)).toBeVisible()
})

test('A person is found by name, employee ID, external ID and email, however they are capitalised', async ({ page }) => {
  await signInAs(page, 'Amara', '/users?columns=externalId.personalEmail')
  const row = page.getByRole('row').filter({ hasText: 'Björn Jäger' })
  await expect(row).toBeVisible()
  const [externalId = '', email = ''] = await row
    .getByRole('cell')
    .filter({ hasNot: page.getByRole('checkbox') })
    .allInnerTexts()
  const { employeeId = '' } = everybody.find(({ name }) => name === 'Björn Jäger') ?? {}
  for (const words of ['bJÖRN jäger', employeeId, externalId.toLowerCase(), email.toUpperCase()]) {
    expect(words).not.toBe('')
    await search(page).fill(words)
    await expect(page.getByText('1 of 1 shown')).toBeVisible()
    await expect(row).toHaveCount(1)
  }
})

/** What somebody could be called who means no good, and how the export writes it so that no spreadsheet runs it. */
const HOSTILE = [
  { given: '<img src=x onerror=alert(1)>', family: '</script><b>Bold', id: '"><svg/onload=alert(2)>' },
  { given: '=HYPERLINK("http://127.0.0.1:9","Pay")', family: '@SUM(1+1)', id: '+2' },
  { given: '\u202Egnp.exe', family: 'שלום\u2067', id: 'X-3' },
  { given: "Robert'); DROP TABLE users;--", family: '$t(common:product) {{name}}', id: '%00' },
  { given: '👩‍👩‍👧 Zo\u0308e\u0301', family: '__proto__', id: 'constructor' },
] as const

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

const hostileFile = (): Buffer => {
  const rows = HOSTILE.map(({ given, family, id }) => [id, given, family, 'Köln Mülheim', '21/02/2024'].map(quoted).join(','))
  return Buffer.from(['Person ID,First name,Last name,Location,Start date', ...rows].join('\r\n'))
}

test('Hostile names are text wherever they stand, and no formula in a file', async ({ page }) => {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.dismiss()
  })
  await signInAs(page, 'Callum')
  await planFile(page, { name: '<b>=1+1.csv', mimeType: 'text/csv', buffer: hostileFile() })
  await applyPlan(page)
  await page.getByRole('link', { name: 'See the people' }).click()
  await expect(count(page, HOSTILE.length)).toBeVisible()
  for (const { given, family, id } of HOSTILE) {
    await search(page).fill(family)
    await expect(count(page, 1)).toBeVisible()
    const name = page.getByRole('rowheader').getByText(`${given} ${family}`, { exact: true })
    expect(await name.evaluate((element) => element.textContent)).toBe(`${given} ${family}`)
    await name.click()
    const profile = page.getByRole('dialog', { name: 'View profile' })
    await expect(profile.getByRole('definition').filter({ hasText: id }).first()).toBeVisible()
    await profile.getByRole('tab', { name: 'Timeline' }).click()
    await expect(profile.getByText(`${given} ${family} was created.`, { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(profile).toBeHidden()
  }
  await search(page).fill('')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog', { name: 'Export people' }).getByRole('button', { name: 'Export' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain(`"'=HYPERLINK(""http://127.0.0.1:9"",""Pay"") @SUM(1+1)"`)
  expect(file).toContain('<img src=x onerror=alert(1)> </script><b>Bold')
  expect(file).not.toMatch(/(^|,)"?[=+@]/m)
  await page.goto('/logs')
  await expect(page.getByText('The file <b>=1+1.csv was uploaded.')).toBeVisible()
  await expect(page.locator('img[src="x"], main b, svg[onload]')).toHaveCount(0)
  expect(asked).toEqual([])
})
