import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, signInAs, test } from './instep.ts'
import { enterOn, tabTo, typeInto } from './keyboard.ts'
import { bringPeopleIn } from './people-ready.ts'

// a page in the middle of a transition has colours that nobody reads
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.describe.configure({ mode: 'serial' })

const tasksLink = (page: Page) => page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: /^Tasks/ })
const drawer = (page: Page, name: string) => page.getByRole('dialog', { name })

test('A system without an interface is added, and its tasks wait in the navigation', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  await bringPeopleIn(page, server)
  await page.goto('/connectors?form=new')
  const form = page.getByRole('dialog', { name: 'Add connector' })
  await form.getByLabel('Kind').selectOption('By hand')
  await form.getByLabel('Name').fill('Door system')
  await form.getByLabel('Instructions').fill('Badge office, ground floor.\nBring the form.')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  const section = page.getByRole('region', { name: 'Tasks for people' })
  await expect(section.getByText('60 tasks wait for a person.')).toBeVisible()
  await section.getByRole('link', { name: 'Open the tasks' }).click()
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.reload()
  await expect(tasksLink(page)).toHaveAccessibleName(/60 open tasks/)
})

test('By keyboard: a task is read, taken on, commented on and ticked off under the name it has there', async ({ page }) => {
  await signInAs(page, 'Amara', '/tasks')
  await enterOn(page, page.getByRole('rowheader').first().getByRole('button'))
  const task = drawer(page, 'Create account')
  await expect(task.getByText(/^Create an account for .* in Door system with these values\.$/)).toBeVisible()
  await expect(task.getByText('Badge office, ground floor.')).toBeVisible()
  await typeInto(page, task.getByLabel('Name of the account there'), 'badge-1')
  const mine = task.getByLabel('Assigned to')
  await tabTo(page, mine)
  await page.keyboard.type('Amara')
  await expect(mine.locator('option:checked')).toHaveText(/^Amara /)
  await typeInto(page, task.getByLabel('Comment'), 'Card printed')
  await enterOn(page, task.getByRole('button', { name: 'Save comment' }))
  await expect(task.getByRole('button', { name: 'Save comment' })).toHaveAccessibleDescription('The comment is as it was.')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await enterOn(page, task.getByRole('button', { name: 'Done', exact: true }))
  await expect(task).toBeHidden()
  await expect(page.getByText('59 tasks')).toBeVisible()
})

test('A tick is taken back, and the account is asked for again', async ({ page }) => {
  await signInAs(page, 'Amara', '/tasks?state=done')
  await page.getByRole('rowheader').first().getByRole('button').click()
  const task = drawer(page, 'Create account')
  await expect(task.getByText('badge-1')).toBeVisible()
  await task.getByRole('button', { name: 'Take back' }).click()
  await expect(task.getByText('Taken back.', { exact: true })).toBeVisible()
  await expect(async () => {
    await page.goto('/tasks')
    await expect(page.getByText('60 tasks')).toBeVisible({ timeout: 8000 })
  }).toPass()
})

test('What cannot be done is set aside with its reason; the rest is ticked off together', async ({ page }) => {
  await signInAs(page, 'Amara', '/tasks')
  await page.getByRole('rowheader').first().getByRole('button').click()
  await drawer(page, 'Create account').getByRole('button', { name: 'Cannot be done' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cannot be done' })
  await dialog.getByRole('button', { name: 'Set aside' }).click()
  await expect(dialog.getByText('Please enter a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('No cards left')
  await dialog.getByRole('button', { name: 'Set aside' }).click()
  await expect(page.getByText('59 tasks')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all tasks shown' }).check()
  await page.getByRole('toolbar', { name: 'Selected tasks' }).getByRole('button', { name: 'Tick off' }).click()
  await expect(page.getByText('25 tasks ticked off')).toBeVisible()
  await expect(page.getByText('34 tasks')).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await file).suggestedFilename()).toBe('tasks.csv')
})

test('The profile says honestly that the account waits for a person', async ({ page }) => {
  await signInAs(page, 'Amara', '/tasks')
  await page.getByRole('rowheader').first().getByRole('button').click()
  await drawer(page, 'Create account').getByRole('link').first().click()
  const targets = page.getByRole('dialog', { name: 'View profile' }).getByRole('list', { name: 'Accounts at the targets' })
  await expect(targets.getByText('waits for a person')).toBeVisible()
})
