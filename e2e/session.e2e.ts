import type { Page } from '@playwright/test'
import { downloadExport, planFile } from './hr-export.ts'
import { expect, signInByForm, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

const callsOf = (page: Page): string[] => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/v1')) calls.push(request.url())
  })
  return calls
}

const expiredDialog = (page: Page) => page.getByRole('dialog', { name: 'User session expired' })

/** Lets the hour of a session go by on the clock of this browser. */
const letSessionExpire = async (page: Page) => {
  await page.clock.fastForward('01:05:00')
  await expect(expiredDialog(page)).toBeVisible()
}

/** Signs in again from the dialog; the browser's clock is right again, because the service's clock never went ahead. */
const signInAgain = async (page: Page) => {
  await page.clock.setSystemTime(Date.now())
  await expiredDialog(page).getByRole('button', { name: 'Sign in again' }).click()
  await expect(expiredDialog(page)).toBeHidden()
}

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await signInByForm(page, 'Amara')
})

test('An expired session is said by itself and at every action, and nothing is asked of the service', async ({ page, server }) => {
  await bringPeopleIn(page, server)
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'People', exact: true }).click()
  await expect(page.getByText('10 of 60 shown')).toBeVisible()

  const calls = callsOf(page)
  await letSessionExpire(page)
  await expect(page.getByRole('alert').getByText('User session expired')).toBeVisible()
  await expiredDialog(page).getByRole('button', { name: 'Not now' }).click()
  await expect(expiredDialog(page)).toBeHidden()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(expiredDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('rowheader')).toHaveCount(10)
  expect(calls).toEqual([])

  await page.getByRole('button', { name: 'Show more' }).click()
  await signInAgain(page)
  await expect(page).toHaveURL(/\/users$/)
  await expect(page.getByText('10 of 60 shown')).toBeVisible()
})

test('A session that ran out while the tab was away is not used after a reload', async ({ page, server }) => {
  await page.goto('/users')
  await expect(page.getByText('10 of 60 shown')).toBeVisible()
  await page.evaluate(() => {
    const stored = JSON.parse(sessionStorage.getItem('instep.session') ?? '{}') as { expiresAt: number }
    sessionStorage.setItem('instep.session', JSON.stringify({ ...stored, expiresAt: Date.now() - 1000 }))
  })
  await page.context().clearCookies()
  const calls = callsOf(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  expect(page.url().startsWith(server.url)).toBe(true)
  expect(calls).toEqual([])
})

test('The reason typed before the session expired is there after signing in again', async ({ page, server }) => {
  await planFile(page, await downloadExport(page.request, server.sandbox, { trouble: 'missing-people' }))
  const address = page.url()
  await page.getByLabel('Reason').fill('The store in Leeds closed, and everybody there has left')
  await letSessionExpire(page)
  await signInAgain(page)
  await expect(page.getByLabel('Reason')).toHaveValue('The store in Leeds closed, and everybody there has left')
  await expect(page).toHaveURL(address)
})

test('A connector that was being described is there after signing in again, without its token', async ({ page }) => {
  await page.goto('/connectors')
  await page.getByRole('button', { name: 'Add connector' }).click()
  const form = page.getByRole('dialog', { name: 'Add connector' })
  await form.getByLabel('Kind').selectOption('SCIM 2.0')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Second workplace')
  await form.getByLabel('Base address').fill('https://workplace.example.com/scim/v2')
  await form.getByLabel('Bearer token').fill('not-to-be-kept')
  await letSessionExpire(page)
  await signInAgain(page)
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Second workplace')
  await expect(form.getByLabel('Base address')).toHaveValue('https://workplace.example.com/scim/v2')
  await expect(form.getByLabel('Bearer token')).toHaveValue('')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('not-to-be-kept')

  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('button', { name: 'Add connector' }).click()
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('')
})

test('A form opened again while the one thrown away still fades is empty', async ({ page }) => {
  await page.goto('/connectors')
  const add = page.getByRole('button', { name: 'Add connector' })
  const addButton = await add.elementHandle()
  await add.click()
  const form = page.getByRole('dialog', { name: 'Add connector' })
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Thrown away')
  await form.getByRole('button', { name: 'Cancel' }).click()
  const leave = page.getByRole('button', { name: 'Leave', exact: true })
  await expect(leave).toBeVisible()
  // the browser's clock stands still, and with it the fading
  await page.clock.pauseAt(Date.now() + 60_000)
  await leave.click()
  await expect(page).toHaveURL(/\/connectors$/)
  await expect(name).toHaveValue('Thrown away')
  await addButton?.dispatchEvent('click')
  await expect(name).toHaveValue('')
})
