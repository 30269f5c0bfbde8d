import { AxeBuilder } from '@axe-core/playwright'
import { startWebhookReceiver, type WebhookReceiver } from '@instep/connectors/webhook/testing/webhook-receiver.ts'
import { expect, signInAs, test } from './instep.ts'

// a page in the middle of a transition has colours that nobody reads
test.use({ contextOptions: { reducedMotion: 'reduce' } })

let receiver: WebhookReceiver
test.beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
test.afterAll(() => receiver.close())

test('A receiver is added and tested, its secret renewed while it knows the old one, and the new one told once', async ({ page }) => {
  await signInAs(page, 'Amara', '/connectors?form=new')
  const form = page.getByRole('dialog', { name: 'Add connector' })
  await form.getByLabel('Kind').selectOption('Webhook')
  await form.getByLabel('Name').fill('Apps')
  await form.getByLabel('Address').fill(receiver.url)
  await form.getByLabel(/^Signing secret/).fill(receiver.secret)
  await form.getByRole('button', { name: 'Save', exact: true }).click()

  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect(page.getByText(/^The receiver took the test event\. It answered 200, \d+ ms: thank you$/)).toBeVisible()

  const section = page.getByRole('region', { name: 'Signature' })
  await section.getByText('How a receiver checks (Node.js)').click()
  await expect(section.getByText('timingSafeEqual').first()).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await section.getByRole('button', { name: 'Renew the secret' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('The one before signs too').selectOption('For 1 day')
  await dialog.getByRole('button', { name: 'Renew the secret' }).click()
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
  await expect(dialog.getByText(/^Until .* \(UTC\) the one before signs too\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByText(secret)).toHaveCount(0)

  for (const known of [receiver.secret, secret]) {
    receiver.secret = known
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect.poll(() => receiver.attempts.at(-1)).toMatchObject({ signatures: 2, valid: 1 })
  }
})
