import { expect, fillIn, PASSWORD, person, signInByForm, test } from './instep.ts'

test('A wrong password is refused in words and lets nobody in', async ({ page }) => {
  await page.goto('/users')
  await fillIn(page, person('Amara').email, 'not-the-password')
  await expect(page.getByText('This email and password do not match')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(person('Amara').email)
})

test('A deep link leads through the sign-in page back to its path and query, and a reload stays signed in', async ({ page, server }) => {
  await page.goto('/users?status=claimed')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await fillIn(page, person('Amara').email, PASSWORD)
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/users?status=claimed`)
  await expect(page.getByRole('radio', { name: 'Claimed', exact: true })).toBeChecked()

  await page.reload()
  await expect(page.getByRole('radio', { name: 'Claimed', exact: true })).toBeChecked()
  await expect(page).toHaveURL(`${server.url}/users?status=claimed`)
})

test('A sandbox sign-in is one click', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Saskia Brennan' }).click()
  await expect(page.getByRole('button', { name: 'Profile of Saskia Brennan' })).toBeVisible()
})

test('No token is left in localStorage, in a cookie that scripts can read, or in an address', async ({ page }) => {
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await signInByForm(page, 'Amara', '/users')
  const { session, local } = await page.evaluate(() => ({
    session: JSON.parse(sessionStorage.getItem('instep.session') ?? '{}') as { accessToken: string; idToken: string },
    local: JSON.stringify({ ...localStorage }),
  }))
  const readable = (await page.context().cookies()).filter(({ httpOnly }) => !httpOnly)
  expect(session.accessToken.length).toBeGreaterThan(100)
  for (const token of [session.accessToken, session.idToken]) {
    expect(local).not.toContain(token)
    expect(JSON.stringify(readable)).not.toContain(token)
    expect(page.url()).not.toContain(token)
    // the answer of a sign-in stands in the fragment, and nowhere in what a server could log
    for (const address of addresses) expect(address.split('#')[0]).not.toContain(token)
  }
  await page.goBack()
  expect(page.url()).not.toContain(session.accessToken)
})

test('Signing out ends on its own page, and the console asks to sign in again', async ({ page, server }) => {
  await signInByForm(page, 'Amara', '/users')
  await page.getByRole('button', { name: 'Profile of Amara Whitfield' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/auth/logged-out`)

  await page.goto('/users')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'People' })).toBeHidden()
})

test('An address that leads nowhere says so', async ({ page }) => {
  await signInByForm(page, 'Amara', '/no/such/page')
  await expect(page.getByText('Error 404: Not Found')).toBeVisible()
  await expect(page.getByText('Oops, something went wrong')).toBeVisible()
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})
