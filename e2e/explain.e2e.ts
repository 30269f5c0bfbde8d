import { applyPlan, downloadExport, peopleIn, planFile } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'

test('Why somebody is as they are is told from the cell to the target, for the changed, the unchanged and a record pasted in', async ({
  page,
  server,
}) => {
  await signInAs(page, 'Amara')
  const file = await downloadExport(page.request, server.sandbox)
  const [first] = peopleIn(file)
  await planFile(page, file)
  await applyPlan(page)
  await page.getByRole('tab', { name: /^Created/ }).click()
  await page.getByRole('button', { name: new RegExp(`^${first?.name} ${first?.employeeId}`) }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Explain' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Why? ${first?.name}` })).toBeVisible()
  await expect(page.getByText('A new person is created. It was carried out.')).toBeVisible()
  await page.getByText(/^All \d+ cells$/).click()
  await expect(page.getByRole('row', { name: /^First name / })).toContainText(first?.name.split(' ')[0] ?? '')
  await expect(page.getByRole('region', { name: 'What the targets answered' }).getByText('In step')).toBeVisible()

  await page.getByRole('link', { name: 'Open profile' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Why is it so?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Why? ${first?.name}` })).toBeVisible()

  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Connectors' }).click()
  await page.getByRole('button', { name: 'HR export', exact: true }).click()
  await page.getByRole('link', { name: 'Try a record' }).click()
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(page.getByText('Please enter a header line and a row below it')).toBeVisible()
  await page.getByRole('textbox', { name: 'Header and row' }).fill(`Person ID\tFirst name\tLast name\nNEW-1\tRenamed\tPerson`)
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(page.getByText('A new person is created.')).toBeVisible()
  await expect(page.getByRole('row', { name: /^First name / })).toContainText('Renamed')
})
