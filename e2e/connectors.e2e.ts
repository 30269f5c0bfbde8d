import { expect, signInAs, test } from './instep.ts'

test('What keeps a connector from being saved is said at its input, which takes the focus, until it is changed', async ({ page }) => {
  await signInAs(page, 'Amara', '/connectors?form=new')
  const form = page.getByRole('dialog', { name: 'Add connector' })
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  const address = form.getByRole('textbox', { name: 'Base address' })
  const save = form.getByRole('button', { name: 'Save' })
  await form.getByLabel('Kind').selectOption('SCIM 2.0')
  await save.click()
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription('Please enter a name')
  await name.fill('WORK place')
  await address.fill('nowhere')
  await form.getByLabel('Bearer token').fill('secret')
  await page.keyboard.press('Control+s')
  await expect(address).toBeFocused()
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await address.fill('https://workplace.example.com/scim/v2')
  await expect(address).not.toHaveAttribute('aria-invalid', 'true')
  await name.fill(' WORKPLACE ')
  await save.click()
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(/already/)
  await name.fill('Second workplace')
  await expect(name).not.toHaveAttribute('aria-invalid', 'true')
  await save.click()
  await expect(page.getByText('Second workplace added')).toBeVisible()

  // the stored token goes to the stored address only
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Second workplace' })
  await edit.getByRole('textbox', { name: 'Base address' }).fill('https://elsewhere.example.com/scim/v2')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByLabel('Bearer token')).toBeFocused()
  await expect(edit.getByLabel('Bearer token')).toHaveAttribute('aria-invalid', 'true')
})

test('Leaving a connector that was being described asks; one that is as it was is left at once', async ({ page }) => {
  await signInAs(page, 'Amara', '/connectors')
  await page.getByRole('button', { name: 'Add connector' }).click()
  const form = page.getByRole('dialog', { name: 'Add connector' })
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()

  await page.getByRole('button', { name: 'Add connector' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Agency')
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => form.getByRole('button', { name: 'Cancel' }).click(),
    () => page.goBack(),
  ]) {
    await leave()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(name).toHaveValue('Agency')
  }
  await name.fill('')
  await form.getByLabel('Kind').selectOption('SCIM 2.0')
  await form.getByLabel('Kind').selectOption('File')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toBeHidden()
})
