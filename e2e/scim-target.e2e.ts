import { expect, signInAs, test } from './instep.ts'

test('A target is tried with a throw-away account, and gets an attribute of our own', async ({ page }) => {
  await signInAs(page, 'Amara', '/connectors')
  await page.getByRole('button', { name: 'Workplace' }).click()

  const support = page.getByRole('region', { name: 'What the target supports' })
  await expect(support.getByText('This target was never tested.')).toBeVisible()
  await support.getByRole('button', { name: 'Test this target' }).press('Enter')
  await expect(support.getByText(/The profile that fits best/)).toBeVisible()
  await expect(support.getByRole('row', { name: /Create an account Yes/ })).toBeVisible()
  await expect(support.getByRole('row', { name: /Delete Yes/ })).toBeVisible()
  await expect(support.getByText(/could not be removed/)).toHaveCount(0)

  const attributes = page.getByRole('region', { name: 'Attributes' })
  await attributes.getByRole('button', { name: 'Add attribute' }).press('Enter')
  await expect(attributes.getByRole('button', { name: 'Save' })).toBeDisabled()
  await attributes.getByRole('combobox', { name: 'Attribute', exact: true }).fill('nickName')
  await attributes.getByRole('combobox', { name: 'From' }).selectOption({ label: 'Position' })
  await attributes.getByRole('combobox', { name: 'Text is' }).selectOption({ label: 'In capitals' })
  await attributes.getByRole('button', { name: 'Show on a person' }).press('Enter')
  await expect(attributes.getByText('There is nobody to show it on.')).toBeVisible()
  await attributes.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('The attributes are saved. All accounts are compared again.')).toBeVisible()
  await page.reload()
  await expect(attributes.getByRole('combobox', { name: 'Attribute', exact: true })).toHaveValue('nickName')
})
