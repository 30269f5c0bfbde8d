import type { APIRequestContext, Page } from '@playwright/test'
import { expect, signInAs, test } from './instep.ts'
import { enterOn, tabTo } from './keyboard.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

const HEADERS = { authorization: 'Bearer sandbox-northwind', 'content-type': 'application/scim+json' }
const users = (sandbox: string) => `${sandbox}/workplace/northwind/scim/v2/Users`

interface Account {
  readonly id: string
  readonly userName: string
  readonly displayName: string
  readonly title?: string
}

const accounts = async (request: APIRequestContext, sandbox: string): Promise<Account[]> => {
  const answer = await request.get(`${users(sandbox)}?count=200`, { headers: HEADERS })
  return ((await answer.json()) as { Resources: Account[] }).Resources
}

/** Somebody changes an account at the workplace, behind our back. */
const usurp = async (request: APIRequestContext, sandbox: string, id: string): Promise<void> => {
  const Operations = [{ op: 'replace', path: 'title', value: 'Usurper' }]
  const data = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }
  expect((await request.patch(`${users(sandbox)}/${id}`, { headers: HEADERS, data })).ok()).toBe(true)
}

const openWorkplace = async (page: Page) => {
  await enterOn(page, page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Connectors' }))
  await enterOn(page, page.getByRole('button', { name: /workplace/i }))
  await expect(page.getByRole('region', { name: 'Changed by hand at the target' })).toBeVisible()
}

test('What was changed and removed at the workplace is read back and put back, by keyboard', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  await bringPeopleIn(page, server)
  const [changed, removed] = await accounts(page.request, server.sandbox)
  if (!changed || !removed) throw new Error('the workplace has no accounts')
  await usurp(page.request, server.sandbox, changed.id)
  await page.request.delete(`${users(server.sandbox)}/${removed.id}`, { headers: HEADERS })

  await openWorkplace(page)
  await expect(page.getByText('nothing is owed')).toBeVisible()
  await expect(page.getByText('95% in').first()).toBeVisible()
  const drift = page.getByRole('region', { name: 'Changed by hand at the target' })
  await expect(drift.getByText('This target was never read back.')).toBeVisible()
  await enterOn(page, drift.getByRole('button', { name: 'Read back now' }))
  await expect(drift.getByRole('tab', { name: 'Changed 1' })).toBeVisible()
  await expect(drift.getByText('found: Usurper')).toBeVisible()
  await tabTo(page, drift.getByRole('checkbox', { name: /^Tick (?!all)/ }).first())
  await page.keyboard.press('Space')
  await expect(drift.getByText('1 ticked:')).toBeVisible()
  await enterOn(page, drift.getByRole('button', { name: 'Put back', exact: true }))
  await expect(drift.getByText('Everything here is decided').first()).toBeVisible()
  await tabTo(page, drift.getByRole('tab', { name: 'Changed 1' }))
  await page.keyboard.press('ArrowRight')
  await expect(drift.getByRole('tab', { name: 'Missing 1' })).toHaveAttribute('aria-selected', 'true')
  await enterOn(page, drift.getByRole('button', { name: 'Put back', exact: true }))
  await enterOn(page, page.getByRole('dialog', { name: 'Put back: 1 account?' }).getByRole('button', { name: 'Put back' }))
  await expect
    .poll(async () => (await accounts(page.request, server.sandbox)).map(({ title }) => title).filter((title) => title === 'Usurper'))
    .toEqual([])
  await expect.poll(async () => (await accounts(page.request, server.sandbox)).length).toBe(60)
})

test('An account made by hand is linked to whom an administrator looks up, and brought in step', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  const found = await accounts(page.request, server.sandbox)
  const [gone, other] = found
  if (!gone || !other) throw new Error('the workplace has no accounts')
  await page.request.delete(`${users(server.sandbox)}/${gone.id}`, { headers: HEADERS })
  const data = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'by.hand@x.example',
    displayName: 'By Hand',
    active: true,
  }
  expect((await page.request.post(users(server.sandbox), { headers: HEADERS, data })).ok()).toBe(true)

  await openWorkplace(page)
  const drift = page.getByRole('region', { name: 'Changed by hand at the target' })
  await enterOn(page, drift.getByRole('button', { name: 'Read back now' }))
  await drift.getByRole('tab', { name: 'Unknown 1' }).click()
  await drift.getByRole('button', { name: 'Link to a person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Whose account is By Hand?' })
  await expect(dialog.getByText('Nobody without an account here has its user name')).toBeVisible()
  const person = dialog.getByRole('combobox', { name: 'Another person' })
  const choose = async (name: string) => {
    await person.fill(name)
    await page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .click()
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
  }
  await choose(other.displayName)
  await expect(dialog.getByText('This person has an account at the target already')).toBeVisible()
  await choose(gone.displayName)
  await expect(dialog).toBeHidden()
  await expect(drift.getByText('Everything here is decided').first()).toBeVisible()
  await expect
    .poll(async () => (await accounts(page.request, server.sandbox)).map(({ userName }) => userName).toSorted())
    .toEqual(found.map(({ userName }) => userName).toSorted())
})

test('One person is previewed and synced, with each request and reply', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  const [account] = await accounts(page.request, server.sandbox)
  if (!account) throw new Error('the workplace has no accounts')
  await usurp(page.request, server.sandbox, account.id)
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'People', exact: true }).click()
  await page.getByLabel('Search name, employee ID or email').fill(account.userName)
  await expect(page.getByText('1 of 1 shown')).toBeVisible()
  await page.getByRole('button', { name: account.displayName }).click()
  await enterOn(page, page.getByRole('dialog').getByRole('link', { name: 'Sync' }))
  await expect(page.getByRole('heading', { level: 1, name: `Sync ${account.displayName}` })).toBeVisible()
  await expect(page.getByText('No target was asked yet.')).toBeVisible()
  await enterOn(page, page.getByRole('button', { name: 'Preview' }))
  await expect(page.getByText('The account would be changed.')).toBeVisible()
  expect((await accounts(page.request, server.sandbox)).find(({ id }) => id === account.id)?.title).toBe('Usurper')
  await enterOn(page, page.getByRole('button', { name: 'Sync now' }))
  await expect(page.getByText('The account was changed.')).toBeVisible()
  await enterOn(page, page.locator('summary').filter({ hasText: 'PATCH' }))
  await expect(page.getByText('urn:ietf:params:scim:api:messages:2.0:PatchOp').first()).toBeVisible()
  await expect(page.getByText('sandbox-northwind')).toHaveCount(0)
  expect((await accounts(page.request, server.sandbox)).find(({ id }) => id === account.id)?.title).not.toBe('Usurper')
})

test('Those selected are synced together; a target that fails is told with its cause beside it', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'People', exact: true }).click()
  await page
    .getByRole('checkbox', { name: /^Select (?!all|every)/ })
    .nth(1)
    .check()
  await page
    .getByRole('checkbox', { name: /^Select (?!all|every)/ })
    .nth(2)
    .check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Sync' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sync 2 people' })
  await dialog.getByRole('radio', { name: 'Sync now' }).check()
  await page.request.post(`${server.sandbox}/workplace/northwind/weather`, { form: { weather: 'failing' } })
  await dialog.getByRole('button', { name: 'Sync now' }).click()
  await expect(page.getByText('2 people done. 2 accounts failed.')).toBeVisible()
  await page.getByRole('button', { name: 'Show results' }).click()
  await expect(page.getByText('Sync failed, please try again. The target is not available at present.').first()).toBeVisible()
  await page.request.post(`${server.sandbox}/workplace/northwind/weather`, { form: { weather: 'fine' } })
  const results = page.getByRole('dialog', { name: 'What came of each person' })
  await expect(results.getByText('Was not asked')).toHaveCount(2)
  const somebody = results.getByRole('row').nth(1).getByRole('link')
  const name = await somebody.textContent()
  await enterOn(page, somebody)
  await expect(page.getByRole('heading', { level: 1, name: `Sync ${name}` })).toBeVisible()
  await expect(page.getByText('This is what the sync saw and did.')).toBeVisible()
  await expect(page.getByText('It gives files, and single records cannot be asked for.')).toBeVisible()
  for (const step of ['Is it in scope?', 'Request and reply']) await expect(page.getByRole('heading', { name: step })).toBeVisible()
  await expect(page.getByText('The target is not available at present.')).toBeVisible()
  await enterOn(page, page.getByRole('link', { name: 'Ask again now' }))
  await expect(page.getByText('No target was asked yet.')).toBeVisible()
})

test('What is done at a target can be opened to be changed by its address', async ({ page }) => {
  await signInAs(page, 'Amara')
  await openWorkplace(page)
  await page.goto(`${page.url()}?form=policy`)
  const drawer = page.getByRole('dialog', { name: 'Leavers, protection and pace' })
  await expect(drawer.getByLabel('Requests a second')).toBeVisible()
  await drawer.getByLabel('Members that always pass').fill('7')
  await enterOn(page, drawer.getByRole('button', { name: 'Save' }))
  await expect(page.getByText('the members within 24 hours; 7 always pass')).toBeVisible()
})
