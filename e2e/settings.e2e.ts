import type { Locator, Page } from '@playwright/test'
import { expect, signInAs, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const text = (within: Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const choice = (within: Page | Locator, name: string) => within.getByRole('combobox', { name, exact: true })
const offered = (within: Locator, name: string) => within.getByRole('listbox', { name, exact: true }).getByRole('option')
const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })

/** One field of the default values, with what counts beside it. */
const defaultOf = (page: Page, field: string) => page.getByRole('listitem').filter({ has: choice(page, field) })

const createForm = async (page: Page): Promise<Locator> => {
  await page.goto('/users?form=new')
  const form = page.getByRole('dialog', { name: 'Create user' })
  await expect(choice(form, 'Delivery type')).toBeVisible()
  return form
}

test('Default values of the tenant and of a site fill the form in, the site over the tenant', async ({ page, another }) => {
  await signInAs(page, 'Amara', '/settings')
  const division = defaultOf(page, 'Division')
  await choice(page, 'Preferred language').selectOption('British English')
  await choice(page, 'Delivery type').selectOption('Personal phone')
  await choice(page, 'Country of phone numbers').selectOption({ label: 'Germany (\u2066+49\u2069)' })
  await choice(page, 'Division').fill('Retail')
  await expect(division).toContainText('Set by the tenantRetail')
  await expect(page.getByText('4 fields changed')).toBeVisible()
  await button(page, 'Save').click()
  await expect(page.getByText('Default values saved')).toBeVisible()
  await expect(page.getByText(/^Last changed by Amara Whitfield on /)).toBeVisible()

  await choice(page, 'Whose default values').selectOption('London Bridge')
  await expect(division).toContainText('Set by the tenantRetail')
  await choice(page, 'Division').fill('Flagship')
  await button(page, 'Save').click()
  await expect(division).toContainText('Set by this siteFlagship')

  const form = await createForm(page)
  await expect(choice(form, 'Division')).toHaveValue('Retail')
  await expect(choice(form, 'Preferred language')).toHaveValue('en-GB')
  await expect(choice(form, 'Country code')).toHaveValue('DE')
  await choice(form, 'Site').selectOption('London Bridge')
  await expect(choice(form, 'Division')).toHaveValue('Flagship')
  await expect(text(form, 'Employee ID prefix')).toHaveValue('LON-')
  await choice(form, 'Site').selectOption('Unassigned')
  await expect(choice(form, 'Division')).toHaveValue('Retail')
  await expect(text(form, 'Employee ID prefix')).toHaveValue('')

  const saskias = await another('Saskia', '/settings')
  await expect(button(saskias, 'Save')).toHaveAccessibleDescription(/^The tenant's default values are changed by tenant administrators\./)
  await choice(saskias, 'Whose default values').selectOption('London Bridge')
  await button(saskias, 'Reset to inherited: Division').click()
  await button(saskias, 'Save').click()
  await expect(defaultOf(saskias, 'Division')).toContainText('Set by the tenantRetail')
  await expect(saskias.getByText(/^Last changed by Saskia Brennan on /)).toBeVisible()
})

const addValue = async (page: Page, kind: string, value: string): Promise<Locator> => {
  await choice(page, 'Kind of values').selectOption(kind)
  await button(page, 'Add value').click()
  const form = page.getByRole('dialog', { name: `Add a value: ${kind}` })
  await text(form, 'Value').fill(value)
  return form
}

test('Values that are added are offered, and a position only in its departments', async ({ page }) => {
  await signInAs(page, 'Amara', '/settings?tab=lookups')
  for (const department of ['Gardens', 'Greenhouse']) {
    const form = await addValue(page, 'Departments', department)
    await button(form, 'Save').click()
    await expect(row(page, department)).toContainText('An administrator')
  }
  const again = await addValue(page, 'Departments', ' GARDENS ')
  await button(again, 'Save').click()
  await expect(text(again, 'Value')).toHaveAccessibleDescription('This value is already in the list.')
  await page.keyboard.press('Escape')
  await button(page.getByRole('dialog', { name: 'Leave without saving?' }), 'Leave').click()
  const title = await addValue(page, 'Job titles', 'Gardener')
  await choice(title, 'Departments').fill('gardens')
  await offered(title, 'Departments').filter({ hasText: 'Gardens' }).click()
  await button(title, 'Save').click()
  await expect(row(page, 'Gardener')).toContainText('Gardens')

  const form = await createForm(page)
  await choice(form, 'Department').fill('g')
  await expect(offered(form, 'Department')).toHaveText(['Gardens', 'Greenhouse'])
  await offered(form, 'Department').first().click()
  await choice(form, 'Position').click()
  await offered(form, 'Position').filter({ hasText: 'Gardener' }).click()
  await expect(choice(form, 'Position')).toHaveValue('Gardener')
  await choice(form, 'Department').fill('Greenhouse')
  await choice(form, 'Location').focus()
  await expect(form.getByText('Position was cleared because it is not used in Greenhouse.')).toBeVisible()
  await expect(choice(form, 'Position')).toHaveValue('')

  await page.goto('/settings?tab=lookups')
  await button(page, 'Retire Greenhouse').click()
  // both at once: the way back goes away after a few seconds
  await Promise.all([
    expect(page.getByText('Greenhouse is no longer offered. People who have it keep it.')).toBeVisible(),
    expect(row(page, 'Greenhouse')).toHaveCount(0),
  ])
  await button(page, 'Undo').click()
  await expect(row(page, 'Greenhouse')).toContainText('Offered')
})

test('A security attribute is asked for in the form, and at most three are', async ({ page }) => {
  await signInAs(page, 'Amara', '/settings?tab=attributes')
  for (const [name, type] of [
    ['Badge colour', 'Text'],
    ['Locker number', 'Number'],
    ['Vaccinated on', 'Date'],
  ] as const) {
    await button(page, 'Add attribute').click()
    const dialog = page.getByRole('dialog', { name: 'Add attribute' })
    await text(dialog, 'Name').fill(name.repeat(20))
    await button(dialog, 'Save').click()
    await expect(text(dialog, 'Name')).toHaveAccessibleDescription('This is too long. Shorten it.')
    await text(dialog, 'Name').fill(name)
    await choice(dialog, 'Type').selectOption(type)
    await button(dialog, 'Save').click()
    await expect(row(page, name)).toContainText('On')
  }
  await expect(page.getByText('3 of at most 3 are on.')).toBeVisible()
  await expect(button(page, 'Switch on Division')).toHaveAccessibleDescription('Only three security attributes are allowed')

  const form = await createForm(page)
  const attributes = form.getByRole('region', { name: 'Custom security attributes' })
  await text(form, 'External ID').fill('GARDEN-1')
  await text(form, 'First name').fill('Rosa')
  await text(form, 'Last name').fill('Hortensia')
  await text(form, 'Start date').fill('1 March 2027')
  await text(form, 'Mobile number').fill('0151 12345678')
  for (const [name, value] of [
    ['Location', 'London Bridge'],
    ['Department', 'Gardens'],
    ['Position', 'Gardener'],
  ] as const)
    await choice(form, name).fill(value)
  await text(attributes, 'Badge colour').fill('Green')
  await text(attributes, 'Locker number').fill('twelve')
  await text(attributes, 'Vaccinated on').fill('31/02/2026')
  await button(form, 'Save').click()
  await expect(text(attributes, 'Locker number')).toHaveAccessibleDescription(/Please enter a number/)
  await expect(text(attributes, 'Vaccinated on')).toHaveAccessibleDescription(/There is no such date\./)
  await text(attributes, 'Locker number').fill('12')
  await text(attributes, 'Vaccinated on').fill('28/02/2026')
  await button(form, 'Save').click()
  await expect(page.getByText('User created')).toBeVisible()
  await page.getByRole('rowheader').getByRole('button', { name: 'Rosa Hortensia' }).click()
  const profile = page.getByRole('dialog', { name: 'View profile' })
  for (const value of ['Green', '12', '28/02/2026', '+4915112345678', 'Retail'])
    await expect(profile.getByRole('definition').filter({ hasText: new RegExp(`^${value.replace('+', '\\+')}$`) })).toHaveCount(1)
})

test('Overrides are listed by field, and one is taken back', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  const [person] = await bringPeopleIn(page, server)
  const { name = '', employeeId = '' } = person ?? {}
  await page.goto(`/users?search=${employeeId}`)
  await page.getByRole('rowheader').getByRole('button', { name }).click()
  await button(page, 'Edit').click()
  const form = page.getByRole('dialog', { name: 'Update user' })
  const division = await choice(form, 'Division').inputValue()
  await choice(form, 'Division').fill('Special projects')
  await choice(form, 'Position').fill('Head of tea')
  await text(form, 'Reason (optional)').fill('HR is on holiday')
  await button(form, 'Save').click()
  await expect(page.getByText('User updated')).toBeVisible()

  await page.goto('/overrides')
  await expect(page.getByRole('row').filter({ hasText: 'HR is on holiday' })).toHaveCount(2)
  await choice(page, 'Field').selectOption('Division (1)')
  const listed = page.getByRole('row').filter({ hasText: 'Special projects' })
  await expect(listed).toContainText(division)
  await expect(listed).toContainText('Amara Whitfield')
  await page.getByRole('checkbox', { name: `Select Division of ${name}` }).check()
  await button(page.getByRole('toolbar', { name: 'Selected overrides' }), 'Clear selected').click()
  await button(page.getByRole('dialog', { name: 'Clear 1 override?' }), 'Clear').click()
  await expect(page.getByText('1 override was cleared.')).toBeVisible()
  await expect(page.getByText('No override matches these filters')).toBeVisible()
  await button(page, 'Show all').click()
  await expect(page.getByText('1 of 1 shown')).toBeVisible()
  await page.getByRole('rowheader').getByRole('button', { name }).click()
  const profile = page.getByRole('dialog', { name: 'View profile' })
  await expect(profile.getByRole('term').filter({ hasText: 'Division' }).locator('+ dd')).toHaveText(division)
  await expect(profile.getByRole('term').filter({ hasText: 'Position' }).locator('+ dd')).toHaveText('Head of tea')
})
