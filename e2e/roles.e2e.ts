import type { Page } from '@playwright/test'
import { expect, signInAs, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Navigation' })

const SHARED = ['Dashboard', 'People', 'All people', 'Claimed', 'Not claimed', 'Not invited', 'Inactive', 'Overrides', 'Sites and groups']
const PEOPLE = [...SHARED, 'Tasks', 'Logs', 'Settings']
const TENANT = [...SHARED, 'Connectors', 'Syncs', 'Cases', 'Tasks', 'Messages', 'Logs', 'Settings']

/** What each of the sandbox's administrators finds in the navigation, from top to bottom. */
const SEES = { Sofia: TENANT, Amara: TENANT, Gabriel: PEOPLE, Saskia: PEOPLE, Nadia: [] }

for (const [givenName, links] of Object.entries(SEES))
  test(`${givenName} finds ${links.length === 0 ? 'no page' : `${links.length} links`} in the navigation`, async ({ page }) => {
    await signInAs(page, givenName)
    await expect(navigation(page).getByRole('link')).toHaveText(links)
  })

test('The data-protection administrator is told why there is nothing to open', async ({ page }) => {
  await signInAs(page, 'Nadia', '/users')
  await expect(page.getByText('Nothing to open here yet')).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
})

test('The site administrator sees the people of that site and no others', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  const everybody = await bringPeopleIn(page, server)
  const inLondon = everybody.filter(({ location }) => location === 'London Bridge')
  expect(inLondon.length).toBeGreaterThan(0)
  expect(inLondon.length).toBeLessThan(everybody.length)
  await page.goto('/auth/logout')
  await expect(page.getByText('You are signed out')).toBeVisible()

  await signInAs(page, 'Saskia', '/users')
  await expect(page.getByText(`${inLondon.length} people`, { exact: true })).toBeVisible()
  await page.getByLabel('Rows per page').selectOption('100')
  await expect(page.getByRole('rowheader')).toHaveCount(inLondon.length)
  for (const { employeeId } of inLondon) await expect(page.getByRole('rowheader').filter({ hasText: employeeId })).toHaveCount(1)

  const elsewhere = everybody.find(({ location }) => location !== 'London Bridge')
  await page.getByLabel('Search name, employee ID or email').fill(elsewhere?.employeeId ?? '')
  await expect(page.getByText('No one matches these filters')).toBeVisible()
})

for (const address of ['/connectors', '/runs', '/cases'])
  test(`The site administrator is told in words that ${address} is for others`, async ({ page }) => {
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url())
    })
    await signInAs(page, 'Saskia', address)
    await expect(page.getByText('Your role does not open this page')).toBeVisible()
    await expect(page.getByText('It is for tenant administrators.')).toBeVisible()
    expect(refused).toEqual([])
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  })

test('The super administrator goes to another tenant, and everything belongs to it', async ({ page }) => {
  await signInAs(page, 'Sofia', '/users')
  const picker = page.getByRole('button', { name: /^Choose a tenant/ })
  const pick = async (name: string) => {
    await picker.click()
    await page.getByRole('combobox', { name: 'Choose a tenant' }).fill(name)
    await page.getByRole('option', { name }).click()
    await expect(picker).toContainText(name)
  }
  await pick('Northwind')
  await navigation(page).getByRole('link', { name: 'People', exact: true }).click()
  await expect(page.getByText('60 people', { exact: true })).toBeVisible()

  await pick('Contoso')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await navigation(page).getByRole('link', { name: 'People', exact: true }).click()
  await expect(page.getByText('There is no one here yet')).toBeVisible()
  await page.getByRole('button', { name: /^Choose a site/ }).click()
  await expect(page.getByRole('listbox', { name: 'Choose a site' }).getByRole('option')).toHaveText([
    'All sites',
    'Dublin Docklands',
    'Gent Haven',
    'Köln Mülheim',
  ])
})
