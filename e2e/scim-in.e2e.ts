import { expect, signInAs, test } from './instep.ts'

test('An identity system is given an address and a token, pushes people, gets another token, and is shut out', async ({ page, server }) => {
  await signInAs(page, 'Amara', '/connectors?form=new')
  const form = page.getByRole('dialog', { name: 'Add connector' })
  await form.getByLabel('Kind').selectOption('SCIM 2.0 in')
  await form.getByLabel('Name').fill('Entra ID')
  await form.getByRole('button', { name: 'Save', exact: true }).click()

  const section = page.getByRole('region', { name: 'SCIM address and tokens' })
  await expect(section.getByText('There is no token yet, so nobody can push.')).toBeVisible()
  const address = (await section.getByText(/\/scim\/v2\/[0-9a-f-]{36}$/).textContent()) ?? ''
  const at = `${server.url}${new URL(address).pathname}`
  await section.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Entra ID production')
  await dialog.getByLabel('Ends').selectOption('In a year')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = (await dialog.getByText(/^sci_/).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()

  const push = (secret: string, path: string, body: object) =>
    fetch(`${at}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
    })
  for (const userName of ['ada@northwind.example', 'bob@northwind.example'])
    expect((await push(token, '/Users', { userName })).status).toBe(201)
  expect((await push(token, '/Users', { displayName: 'Nobody' })).status).toBe(400)
  await page.reload()
  const pushed = page.getByRole('region', { name: 'What was pushed' })
  await expect(pushed.getByText('userName is required.')).toBeVisible()
  await expect(pushed.getByText('bob@northwind.example was pushed over SCIM.')).toBeVisible()
  await expect(section.getByText(/^Last used /)).toBeVisible()

  await section.getByRole('button', { name: 'Renew Entra ID production' }).click()
  await dialog.getByRole('button', { name: 'Renew' }).click()
  const renewed = (await dialog.getByText(/^sci_/).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await expect(section.getByText('1 token ends within two weeks.', { exact: false })).toBeVisible()
  for (const secret of [token, renewed]) expect((await push(secret, '/Groups', { displayName: 'Bakers' })).status).toBe(201)
  for (const left of [1, 0]) {
    await section.getByRole('button', { name: 'Revoke Entra ID production' }).first().click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(section.getByRole('button', { name: 'Revoke Entra ID production' })).toHaveCount(left)
  }
  for (const secret of [token, renewed]) expect((await push(secret, '/Users', { userName: 'late' })).status).toBe(401)
})
