import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, signInAs, test } from './instep.ts'

const people = [
  { 'Person ID': 'R1', 'First name': 'Rosa', 'Last name': 'Before', Email: 'rosa@rest.example', 'Job title': 'Clerk' },
  { 'Person ID': 'R2', 'First name': 'Rafi', 'Last name': 'Other', Email: 'rafi@rest.example', 'Job title': 'Clerk' },
]

/** An HR system with a list of people and an address of each. */
const startHr = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer(({ url = '/' }, response) => {
      const [, id] = /^\/people\/(.+)$/.exec(url) ?? []
      const found = id ? people.find((person) => person['Person ID'] === id) : people
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
    }).listen(0, '127.0.0.1', () => resolve(server))
  })

let hr: Server
test.beforeAll(async () => {
  hr = await startHr()
})
test.afterAll(() => {
  hr.close()
})

const addSource = async (page: Page) => {
  const origin = `http://127.0.0.1:${(hr.address() as AddressInfo).port}`
  await signInAs(page, 'Amara', '/connectors?form=new')
  const form = page.getByRole('dialog', { name: 'Add connector' })
  await form.getByLabel('Kind').selectOption('REST API')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('HR by REST')
  await form.getByLabel('Address of the list of people').fill(`${origin}/people`)
  await form.getByLabel('Address of one person').fill(`${origin}/people/{id}`)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Look at the sample' }).click()
  await page.getByRole('button', { name: 'See what would change' }).click()
  await page.getByRole('button', { name: /^Apply/ }).click()
  await expect(page.getByText(/^Done/).or(page.getByText('2 created')).first()).toBeVisible()
}

test('What HR corrected a moment ago is read, seen step by step, brought in by a run of its own, and sent to the workplace', async ({
  page,
}) => {
  await addSource(page)
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'People', exact: true }).click()
  await page.getByLabel('Search name, employee ID or email').fill('rosa@rest')
  const [rosa] = people
  if (rosa) rosa['Last name'] = 'Corrected'
  await page.getByRole('button', { name: 'Rosa Before' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Sync' }).click()
  await expect(page.getByText(/^This is what the source says of the person, read on/)).toBeVisible()
  await expect(page.getByText('The directory does not know this yet.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Last name.*Corrected.*Before/ })).toBeVisible()

  await page.getByRole('button', { name: 'Sync now' }).click()
  await expect(page.getByText('What is new in the record was brought in by a run of its own')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Sync Rosa Corrected' })).toBeVisible()
  await page.locator('summary').filter({ hasText: 'What it should hold' }).click()
  await expect(page.getByText('Rosa Corrected').first()).toBeVisible()

  people.splice(0, 1)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText(/the source has no record with the external id R1\. This changes nothing/)).toBeVisible()
  await page.getByRole('button', { name: 'Sync now' }).click()
  await expect(page.getByText('Nothing had to be changed.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Syncs' }).click()
  await page.getByText('R1.csv').click()
  await expect(page.getByText(/records of single people, read for a sync by Amara/)).toBeVisible()
})

test('What was answered for one person is not shown under the name of another', async ({ page }) => {
  await signInAs(page, 'Amara', '/users?search=rest.example')
  const open = async (name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Sync' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Sync ${name}` })).toBeVisible()
  }
  await open('Rosa Corrected')
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'People', exact: true }).click()
  await page.getByLabel('Search name, employee ID or email').fill('rest.example')
  await open('Rafi Other')
  const notAsked = page.getByText('No target was asked yet.')
  await expect(notAsked).toBeVisible()
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.locator('summary').filter({ hasText: 'What it should hold' })).toBeVisible()
  await expect(notAsked).toBeHidden()

  await page.getByRole('navigation', { name: 'Opened pages' }).getByRole('link', { name: 'Sync Rosa Corrected' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sync Rosa Corrected' })).toBeVisible()
  await expect(notAsked).toBeVisible()
  await expect(page.locator('summary').filter({ hasText: 'What it should hold' })).toBeHidden()
})
