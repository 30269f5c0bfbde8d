import { giveFile } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'

const CSV = `Person ID,First name,Last name,Start date,End date,Manager
1,Ada,Byron,2999-01-31,,3
2,Pat,Brien,2020-03-01,,Nobody
3,Jo,Doe,2020-03-01,2999-12-31,4
4,Kim,Ray,2020-03-01,,3
`

test('Who starts later comes in inactive; whose manager is unknown, and who reports in a circle, is told', async ({ page }) => {
  await signInAs(page, 'Amara')
  await giveFile(page, { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
  await page.getByRole('button', { name: 'See what would change' }).click()
  await expect(page.getByRole('tab', { name: 'Created 3', exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Starts later 1', exact: true }).click()
  await expect(page.getByText('Starts on 31/01/2999; inactive until then.')).toBeVisible()
  await page.getByRole('button', { name: 'Apply the plan' }).click()
  await expect(page.getByText('Done: 3 people created and 1 person starts later.')).toBeVisible()
  await expect(page.getByText('1 circle of managers is in the directory')).toBeVisible()
  await expect(page.getByText('Jo Doe → Kim Ray → Jo Doe')).toBeVisible()

  await page.getByRole('link', { name: 'See the people' }).click()
  await page
    .getByRole('row', { name: /Ada Byron/ })
    .getByText('Inactive')
    .waitFor()
  await page.getByRole('button', { name: /Ada Byron/ }).click()
  const profile = page.getByRole('dialog', { name: 'View profile' })
  await expect(profile.getByText('Has not yet started: active from 31/01/2999')).toBeVisible()
  await profile.getByRole('link', { name: 'Jo Doe' }).click()
  await expect(profile.getByText('Ends: active to the end of 31/12/2999')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Connectors' }).click()
  await page.getByRole('button', { name: 'HR export', exact: true }).click()
  // the page remembers what it showed before the import
  await page.reload()
  const open = page.getByRole('region', { name: '1 person whose manager is not known' })
  await expect(open.getByRole('row', { name: /Pat Brien.*Nobody is called that/ })).toBeVisible()
})
