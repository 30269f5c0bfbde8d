import type { Page } from '@playwright/test'
import { downloadExport, planFile } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

test.beforeEach(async ({ page }) => {
  await signInAs(page, 'Amara')
})

const openConnector = async (page: Page) => {
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Connectors' }).click()
  await page.getByRole('button', { name: 'HR export', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Guards' })).toBeVisible()
}

test('The guards of a source are seen, and one is turned off with a reason only', async ({ page, server }) => {
  await bringPeopleIn(page, server)
  await openConnector(page)
  await expect(page.getByRole('row', { name: /^Deactivated/ })).toContainText('10%, or 5 people if that is more')
  await page.getByRole('button', { name: 'Change guards' }).click()
  const drawer = page.getByRole('dialog', { name: 'Guards' })
  await drawer.getByRole('group', { name: 'Created or reactivated' }).getByLabel('In one run').check()
  await drawer.getByLabel('A last record that is cut off').uncheck()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByText('Please enter a reason')).toBeVisible()
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('The old system never ends its last line')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()
  await expect(page.getByText(/Off: A last record that is cut off, by Amara Whitfield: The old system/)).toBeVisible()
})

test('A person is protected with a reason', async ({ page }) => {
  await openConnector(page)
  await page.getByRole('button', { name: 'Protect a person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Protect a person' })
  await dialog.getByRole('button', { name: 'Protect a person' }).click()
  await expect(dialog.getByText('Please select a person')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Person' }).click()
  await dialog.getByRole('option').first().click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Runs the payroll')
  await dialog.getByRole('button', { name: 'Protect a person' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Runs the payroll')).toBeVisible()
  await expect(page.getByText('1 person is on the list.')).toBeVisible()
})

test('A held run says every reason, and where its changes are', async ({ page, server }) => {
  await planFile(page, await downloadExport(page.request, server.sandbox, { trouble: 'missing-people' }))
  await expect(page.getByText('This run is held. Nothing has changed.')).toBeVisible()
  await expect(page.getByText(/^It would deactivate/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Also' })).toContainText('last time it had')
  await expect(page.getByRole('list', { name: 'Notes' })).toContainText('A guard is off: A last record that is cut off')
  await page.getByRole('tab', { name: /^Deactivated/ }).click()
  await page.getByRole('button', { name: 'Where the changes are' }).click()
  const drawer = page.getByRole('dialog', { name: 'Where the changes are' })
  const first = drawer.getByRole('listitem').first()
  const site = (await first.getByRole('button').textContent())?.trim() ?? ''
  const count = Number(await first.locator('bdi').textContent())
  await first.getByRole('button').click()
  await drawer.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('rowheader')).toHaveCount(Math.min(count, 25))
  await page.reload()
  await expect(page.getByRole('button', { name: `No longer only ${site}` })).toBeVisible()
  await page.getByRole('button', { name: `No longer only ${site}` }).click()
  await expect(page.getByRole('button', { name: `No longer only ${site}` })).toBeHidden()
})

test('A plan that was rejected is told as a plan, and why it had been held stays readable', async ({ page }) => {
  const syncs = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Syncs' })
  await syncs.click()
  await expect(page.getByRole('row', { name: /Held/ })).toContainText(/Planned: .*deactivate \d+ people/)
  await page.getByRole('row', { name: /Held/ }).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('The plan was rejected. Nothing has changed.').first()).toBeVisible()
  await expect(page.getByRole('list', { name: 'It was held:' })).toContainText(/It would deactivate/)
  await syncs.click()
  await expect(page.getByRole('row', { name: /Rejected/ })).toContainText(/Planned: .*deactivate \d+ people/)
})

test('An older configuration that turns a guard off again is put in force with a reason only', async ({ page }) => {
  await openConnector(page)
  await page.getByRole('button', { name: 'Change guards' }).click()
  const guards = page.getByRole('dialog', { name: 'Guards' })
  await guards.getByLabel('A last record that is cut off').check()
  await guards.getByRole('button', { name: 'Save' }).click()
  await expect(guards).toBeHidden()
  await page.getByRole('link', { name: 'Configuration' }).click()
  await page.getByRole('button', { name: 'Version 2' }).click()
  await page.getByRole('button', { name: 'Put in force again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Put version 2 in force again?' })
  await expect(dialog.getByText(/^This is turned off: “A last record that is cut off”\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Put in force again' }).click()
  await expect(dialog.getByText('Please enter a reason')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The old system is back for a week')
  await dialog.getByRole('button', { name: 'Put in force again' }).click()
  await expect(page.getByText('Version 4 is in force')).toBeVisible()
  await openConnector(page)
  await expect(page.getByText(/Off: A last record that is cut off, by Amara Whitfield: The old system is back/)).toBeVisible()
})

test('A configuration that lets a limit of a site go is imported with a reason only, which every run shows with the site', async ({
  page,
  server,
}) => {
  await openConnector(page)
  await page.getByRole('link', { name: 'Configuration', exact: true }).click()
  await page.getByRole('button', { name: 'Version 1', exact: true }).click()
  const version = page.getByRole('dialog', { name: 'Version 1' })
  const [file] = await Promise.all([page.waitForEvent('download'), version.getByRole('button', { name: 'Export' }).click()])
  const kept = await file.path()
  await page.keyboard.press('Escape')
  await openConnector(page)
  // a tab keeps its own name while the next page comes
  await expect(page.getByRole('link', { name: 'Configuration: HR export' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Change guards' }).click()
  const guards = page.getByRole('dialog', { name: 'Guards' })
  await guards.getByRole('button', { name: 'Add a limit of a site' }).click()
  await guards.getByRole('combobox', { name: 'Site' }).selectOption('Austin Domain')
  await guards.getByRole('button', { name: 'Save' }).click()
  await expect(guards).toBeHidden()

  await page.getByRole('link', { name: 'Configuration', exact: true }).click()
  await page.getByRole('button', { name: 'Import a configuration' }).click()
  const drawer = page.getByRole('dialog', { name: 'Import a configuration' })
  await drawer.locator('input[type=file]').setInputFiles(kept)
  await expect(drawer.getByRole('row', { name: /^Deactivated, in one run, at Austin Domain/ })).toBeVisible()
  await drawer.getByRole('button', { name: 'Import as a new version' }).click()
  await expect(drawer.getByText('Please enter a reason')).toBeVisible()
  await expect(drawer.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('The store is being rebuilt')
  await page.keyboard.press('Enter')
  await expect(drawer).toBeHidden()
  await planFile(page, await downloadExport(page.request, server.sandbox))
  await expect(page.getByRole('list', { name: 'Notes' })).toContainText(
    'A guard is off: Deactivated, in one run, at Austin Domain (by Amara Whitfield: The store is being rebuilt).',
  )
})
