import type { Page } from '@playwright/test'
import { expect, signInAs, test } from './instep.ts'

const NAME = 'HR nightly'
const navigate = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click()

test('A source over HTTPS is set up, tried, scheduled, and brings people by itself from then on', async ({ page, server }) => {
  await signInAs(page, 'Amara', '/connectors?form=new')
  const form = page.getByRole('dialog', { name: 'Add connector' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME)
  await form.getByLabel('How files come').selectOption('Fetched over SFTP')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Please enter a password')).toBeVisible()
  await form.getByLabel('How files come').selectOption('Fetched over HTTPS')
  await expect(form.getByLabel('Password')).toBeHidden()
  await form.getByLabel('Address').fill(`${server.sandbox}/hr/northwind/nothing-here.csv`)
  await form.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByRole('alert')).toContainText('The source answered with 404 instead of a file.')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: `Edit ${NAME}` })
  await edit.getByLabel('Address').fill(`${server.sandbox}/hr/northwind/export.csv`)
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('The connection works. Found: northwind-employees')).toBeVisible()

  await page.getByLabel('How often').selectOption('Monday to Friday')
  await page.getByLabel('Time (HH:MM)').fill('25:00')
  await expect(page.getByText('Complete the time first.').first()).toBeVisible()
  await page.getByLabel('Time (HH:MM)').fill('05:30')
  await expect(page.getByText(/^Monday to Friday at 05:30, Europe/)).toBeVisible()
  await expect(page.getByText(/^Next: .* 05:30 · .* 05:30 · .* 05:30$/)).toBeVisible()
  await expect(page.getByLabel('What becomes of the plan').getByRole('option')).toHaveText(['Waits for approval'])
  await page.getByRole('button', { name: 'Set schedule' }).click()
  await expect(page.getByText('Schedule saved')).toBeVisible()

  await page.getByRole('button', { name: 'Look at the sample' }).click()
  await page.getByRole('button', { name: 'See what would change' }).click()
  await expect(page.getByRole('tab', { name: 'Created 60' })).toBeVisible()
  await page.getByRole('button', { name: /^Apply/ }).click()
  await expect(page.getByText(/^Done/).or(page.getByText('60 created')).first()).toBeVisible()

  await navigate(page, 'Connectors')
  await page.getByRole('button', { name: NAME, exact: true }).click()
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByText(/fetched for Amara.*A dry run: only a person can have it applied\./)).toBeVisible()
  await expect(page.getByText('Nothing would change: everyone in the file is as the directory has them.')).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()
  await navigate(page, 'Connectors')
  await page.getByRole('button', { name: NAME, exact: true }).click()
  await expect(page.getByLabel('What becomes of the plan').getByRole('option')).toHaveCount(2)
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(page.getByText('The source had nothing new. Nothing was planned, nothing has changed.')).toBeVisible()
})
