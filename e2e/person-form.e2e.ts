import type { Locator, Page } from '@playwright/test'
import type { Exported } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

let everybody: readonly Exported[] = []

/** Somebody of London Bridge; each journey changes another one. */
const londoner = (place: number): Exported => {
  const found = everybody.filter(({ location }) => location === 'London Bridge')[place]
  if (!found) throw new Error(`London Bridge has no ${place + 1} people.`)
  return found
}

const choice = (within: Locator, name: string) => within.getByRole('combobox', { name, exact: true })
const text = (within: Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const drawer = (page: Page, name: 'Create user' | 'View profile' | 'Update user') => page.getByRole('dialog', { name })

const openProfile = async (page: Page, { employeeId, name }: Exported): Promise<Locator> => {
  await page.getByLabel('Search name, employee ID or email').fill(employeeId)
  await page.getByRole('rowheader').filter({ hasText: employeeId }).getByRole('button').click()
  const profile = drawer(page, 'View profile')
  await expect(profile.getByText(`${name}, ${employeeId}`)).toBeVisible()
  return profile
}

const edit = async (page: Page): Promise<Locator> => {
  await drawer(page, 'View profile').getByRole('button', { name: 'Edit', exact: true }).click()
  return drawer(page, 'Update user')
}

test('A position that the department does not use is cleared before it is saved, however quickly Save is pressed', async ({
  page,
  server,
}) => {
  await signInAs(page, 'Amara')
  everybody = await bringPeopleIn(page, server)
  await page.goto('/users')
  await openProfile(page, londoner(0))
  const form = await edit(page)
  await choice(form, 'Department').fill('Kitchen')
  await choice(form, 'Position').fill('Tea master')
  await choice(form, 'Department').fill('Logistics')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Position was cleared because it is not used in Logistics.')).toBeVisible()
  await expect(choice(form, 'Position')).toHaveValue('')
  await expect(choice(form, 'Position')).toBeFocused()
  await choice(form, 'Position').fill('Loader of the night')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(drawer(page, 'View profile').getByText('Loader of the night')).toBeVisible()
})

test('What is overridden is marked where it stands, and each value says where it comes from', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  await openProfile(page, londoner(3))
  const form = await edit(page)
  await form.getByRole('switch', { name: 'Account' }).click()
  await text(form, 'Start date').fill('7 March 2021')
  await form.getByRole('button', { name: 'Save' }).click()
  const profile = drawer(page, 'View profile')
  await expect(profile.getByText('Deactivated')).toBeVisible()
  await expect(profile.getByText(/^Overridden\. By Amara Whitfield/)).toHaveCount(2)
  const origin = async (field: string): Promise<Locator> => {
    await page.keyboard.press('Escape')
    await profile.getByRole('button', { name: `Where does ${field} come from?` }).click()
    return page.getByRole('region', { name: `Where does ${field} come from?` })
  }
  await profile.getByRole('button', { name: 'Where does Start date come from?' }).click()
  await expect(page.getByText(/HR export says: \d\d\/\d\d\/\d{4}/)).toBeVisible()
  await expect(await origin('Account status')).toContainText('HR export says: Active')
  await expect(await origin('Site')).toContainText('Comes from HR export.')
})

test('Somebody new goes to the connector that the list is narrowed to', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  await choice(page.locator('main'), 'Connector').selectOption({ label: 'HR export' })
  await page.getByRole('button', { name: 'Create user' }).click()
  const form = drawer(page, 'Create user')
  await expect(form.getByText('Added to HR export')).toBeVisible()
  await text(form, 'External ID').fill('BY-HAND')
  await text(form, 'First name').fill('Zed')
  await text(form, 'Last name').fill('Zulu')
  await choice(form, 'Preferred language').selectOption('en-GB')
  await text(form, 'Start date').fill('25.3.24')
  for (const field of ['Location', 'Department', 'Position']) await choice(form, field).fill('Somewhere')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  const person = page.getByRole('rowheader').filter({ hasText: 'BY-HAND' })
  await page.getByLabel('Search name, employee ID or email').fill('BY-HAND')
  await person.getByRole('button').click()
  await expect(drawer(page, 'View profile').getByText('HR export', { exact: true })).toBeVisible()
})

test('Sites stand under their site groups where one is chosen', async ({ page }) => {
  await signInAs(page, 'Amara', '/users?form=new')
  const sites = choice(drawer(page, 'Create user'), 'Site')
  await expect(sites.locator('optgroup[label="France"] > option')).toHaveText(['Lyon Part-Dieu', 'Paris Bercy'])
})

test('The timeline writes dates, languages and sites as people read them', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  const person = londoner(1)
  await openProfile(page, person)
  const form = await edit(page)
  await text(form, 'Start date').fill('05032024')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(text(form, 'Start date')).toHaveAccessibleDescription(/Please select date/)
  await form.getByRole('button', { name: '3 May 2024' }).click()
  await expect(text(form, 'Start date')).toHaveValue('03/05/2024')
  await text(form, 'Start date').fill('7 March 2021')
  await choice(form, 'Preferred language').selectOption('French (France)')
  await form.getByRole('button', { name: 'Save' }).click()
  const profile = drawer(page, 'View profile')
  await profile.getByRole('tab', { name: 'Timeline' }).click()
  const changed = profile.getByRole('listitem').filter({ hasText: 'user.updated' })
  await expect(changed).toContainText('07/03/2021')
  await expect(changed).toContainText('French (France)')
  await expect(changed).not.toContainText(/\d{4}-\d\d-\d\d|fr-FR/)
  await page.keyboard.press('Escape')

  await page.getByRole('checkbox', { name: `Select ${person.name}` }).check()
  await page.getByRole('toolbar', { name: 'Selected people' }).getByRole('button', { name: 'Move to a site' }).click()
  const move = page.getByRole('dialog')
  await move.getByRole('option', { name: 'Lyon Part-Dieu' }).click()
  await move.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(move).toBeHidden()
  await openProfile(page, person)
  await profile.getByRole('tab', { name: 'Timeline' }).click()
  const moved = profile.getByRole('listitem').filter({ hasText: 'user.moved' })
  await expect(moved).toContainText('London Bridge')
  await expect(moved).toContainText('Lyon Part-Dieu')
})

test('A link to somebody of another tenant leads a super administrator into that tenant', async ({ page, another }) => {
  await signInAs(page, 'Amara', '/users')
  await openProfile(page, londoner(2))
  const { search } = new URL(page.url())
  const sofias = await another('Sofia')
  await expect(sofias.getByRole('button', { name: 'Choose a tenant Contoso' })).toBeVisible()
  await sofias.goto(`/users${search}`)
  await expect(drawer(sofias, 'View profile').getByText(londoner(2).name)).toBeVisible()
  await expect(sofias.getByRole('button', { name: 'Choose a tenant Northwind', includeHidden: true })).toBeAttached()
  await expect(sofias.getByRole('rowheader', { includeHidden: true }).first()).toBeAttached()
})

test('Of a list with nobody in it no pages are offered', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  await expect(page.getByLabel('Rows per page')).toBeVisible()
  await page.getByRole('radio', { name: 'Claimed', exact: true }).check({ force: true })
  await expect(page.getByText('No one matches these filters')).toBeVisible()
  await expect(page.getByLabel('Rows per page')).toHaveCount(0)
})
