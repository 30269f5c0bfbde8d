import { giveFile } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'

const CSV = `Number,Name,Dept,Mail,Start
1,"BYRON, Ada",T,ada@example.com,29/02/2024
2,"O'BRIEN, Pat",F,pat@example.com,01/03/2024
3,"DOE, Jo",X,,31/12/2025
`

test('A name in one column becomes two, seen at once in the records of the file', async ({ page }) => {
  await signInAs(page, 'Amara')
  await giveFile(page, { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
  await page.getByRole('combobox', { name: 'External ID', exact: true }).selectOption('Number')
  await page.getByRole('combobox', { name: 'First name', exact: true }).selectOption('Name')
  await page.getByRole('combobox', { name: 'Last name', exact: true }).selectOption('Name')
  await page.getByRole('button', { name: 'Transform First name' }).click()
  const drawer = page.getByRole('dialog', { name: 'Transform: First name' })
  await drawer.getByRole('button', { name: 'Add a step' }).click()
  await page.keyboard.press('Enter')
  await drawer.getByRole('textbox', { name: 'Split at' }).fill(',')
  await drawer.getByRole('spinbutton', { name: 'Part' }).fill('2')
  await drawer.getByRole('button', { name: 'Add a step' }).click()
  await page.getByRole('menuitem', { name: 'Change capitals' }).click()
  await expect(drawer.getByRole('row', { name: 'BYRON, Ada Ada' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Move step 2, Change capitals, up' }).click()
  await expect(drawer.getByRole('button', { name: 'Move step 1, Change capitals, down' })).toBeFocused()
  await drawer.getByRole('textbox', { name: 'Split at' }).press('Alt+ArrowUp')
  await expect(drawer.getByRole('button', { name: 'Move step 1, Take a part, down' })).toBeFocused()
  await drawer.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Transform First name: 2 steps' })).toBeFocused()

  await page.getByRole('combobox', { name: 'Department', exact: true }).selectOption('Dept')
  await page.getByRole('button', { name: 'Transform Department' }).click()
  const department = page.getByRole('dialog', { name: 'Transform: Department' })
  await department.getByRole('button', { name: 'Add a step' }).click()
  await page.getByRole('menuitem', { name: 'Look up' }).click()
  await department.getByRole('button', { name: 'Add the values of the sample' }).click()
  await department.getByRole('textbox', { name: 'Row 1: becomes' }).fill('Toys')
  await department.getByRole('button', { name: 'Remove row 3' }).click()
  await department.getByRole('combobox', { name: 'A value that is not in the table' }).selectOption('invalid')
  await expect(department.getByRole('status')).toHaveText('1 of 3 records shown would be refused.')
  await department.getByRole('button', { name: 'Add a step' }).click()
  await page.getByRole('menuitem', { name: 'Join' }).click()
  await department.getByRole('button', { name: 'Remove step 2, Join' }).click()
  await department.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Leave people out' }).click()
  const scope = page.getByRole('dialog', { name: 'Who is in scope' })
  await scope.getByRole('combobox', { name: 'Field', exact: true }).selectOption('Work email')
  await scope.getByRole('combobox', { name: 'Comparison', exact: true }).selectOption('is not empty')
  await expect(scope.getByRole('status')).toHaveText('2 of 3 records shown are in scope.')
  await scope.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'See what would change' }).click()
  await expect(page.getByRole('tab', { name: 'Created 2', exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Out of scope 1', exact: true }).click()
  await expect(page.getByText('1 record is out of scope and was left out.')).toBeVisible()
})
