import type { Locator, Page } from '@playwright/test'
import type { Exported } from './hr-export.ts'
import { expect, signInAs, test } from './instep.ts'
import { enterOn, tabTo, typeInto } from './keyboard.ts'
import { bringPeopleIn } from './people-ready.ts'

test.describe.configure({ mode: 'serial' })

const ORANGE = 'rgb(201, 101, 27)'

let everybody: readonly Exported[] = []

/** Somebody of London Bridge; each journey changes another one. */
const londoner = (place: number): Exported => {
  const found = everybody.filter(({ location }) => location === 'London Bridge')[place]
  if (!found) throw new Error(`London Bridge has no ${place + 1} people.`)
  return found
}

const text = (within: Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const choice = (within: Locator, name: string) => within.getByRole('combobox', { name, exact: true })
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const drawer = (page: Page, name: 'Create user' | 'View profile' | 'Update user') => page.getByRole('dialog', { name })
/** A mark in the row of the list, also while a drawer stands over it. */
const rowMark = (page: Page, { employeeId }: Exported, name: string) =>
  page.getByRole('row', { includeHidden: true }).filter({ hasText: employeeId }).getByText(name)

/** What the profile shows of a field. */
const shown = (within: Locator, field: string) => within.getByRole('term').filter({ hasText: field }).locator('+ dd')

/** Finds one person in the list and opens the profile. */
const openProfile = async (page: Page, person: Exported): Promise<Locator> => {
  await page.getByLabel('Search name, employee ID or email').fill(person.employeeId)
  await page.getByRole('rowheader').filter({ hasText: person.employeeId }).getByRole('button').click()
  const profile = drawer(page, 'View profile')
  await expect(profile.getByText(`${person.name}, ${person.employeeId}`)).toBeVisible()
  return profile
}

/** Opens the form of the person whose profile is open. */
const edit = async (page: Page): Promise<Locator> => {
  await button(drawer(page, 'View profile'), 'Edit').click()
  return drawer(page, 'Update user')
}

const save = async (page: Page): Promise<Locator> => {
  await button(drawer(page, 'Update user'), 'Save').click()
  return drawer(page, 'View profile')
}

test('A person is created with the keyboard alone; what is missing, doubtful or taken is said at its input', async ({ page, server }) => {
  await signInAs(page, 'Amara')
  everybody = await bringPeopleIn(page, server)
  await page.goto('/users')
  await expect(page.getByText('60 people', { exact: true })).toBeVisible()

  await enterOn(page, button(page, 'Create user'))
  const form = drawer(page, 'Create user')
  await enterOn(page, text(form, 'External ID'))
  await expect(form.getByRole('status')).toHaveText('8 fields need attention')
  await expect(text(form, 'External ID')).toBeFocused()
  await expect(text(form, 'External ID')).toHaveAccessibleDescription(/Please enter a external id$/)
  await expect(choice(form, 'Position')).toHaveAccessibleDescription('Please select a position')
  await expect(text(form, 'Start date')).toHaveAccessibleDescription('Please select date')

  // somebody of the HR export has it
  await page.keyboard.type('NW-100001')
  await typeInto(page, text(form, 'First name'), 'Ingrid')
  await typeInto(page, text(form, 'Last name'), 'Sørensen')
  await tabTo(page, choice(form, 'Preferred language'))
  await page.keyboard.type('British')
  await typeInto(page, text(form, 'Start date'), '5.3.2027')
  await page.keyboard.press('Tab')
  await enterOn(page, button(form, '5 March 2027'))
  await expect(text(form, 'Start date')).toHaveValue('05/03/2027')
  await tabTo(page, choice(form, 'Delivery type'))
  await page.keyboard.type('Personal phone')
  await tabTo(page, choice(form, 'Country code'))
  await page.keyboard.type('France')
  await typeInto(page, text(form, 'Mobile number'), '12')
  await typeInto(page, choice(form, 'Location'), 'London Bridge')
  await expect(text(form, 'Mobile number')).toHaveAccessibleDescription('This is not a valid phone number.')
  await typeInto(page, choice(form, 'Department'), 'Log')
  await expect(form.getByRole('listbox', { name: 'Department' }).getByRole('option')).toHaveText(['Logistics'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(choice(form, 'Department')).toHaveValue('Logistics')
  await typeInto(page, choice(form, 'Position'), 'Night shift lead')

  await enterOn(page, button(form, 'Save'))
  await expect(form.getByRole('status').filter({ hasText: /attention/ })).toHaveText('1 field needs attention')
  await expect(text(form, 'Mobile number')).toBeFocused()
  await typeInto(page, text(form, 'Mobile number'), '6 12 34 56 78')
  await enterOn(page, button(form, 'Save'))
  await expect(text(form, 'External ID')).toBeFocused()
  await expect(text(form, 'External ID')).toHaveAccessibleDescription(/external id not unique$/)
  await page.keyboard.type('-N')
  await expect(text(form, 'External ID')).toHaveAccessibleDescription('Must be unique in the target system')
  await page.keyboard.press('Enter')
  await expect(page.getByText('User created')).toBeVisible()
  await expect(form).toBeHidden()

  await typeInto(page, page.getByLabel('Search name, employee ID or email'), 'Sørensen')
  await expect(page.getByText('1 of 1 shown')).toBeVisible()
  await enterOn(page, page.getByRole('rowheader').getByRole('button', { name: 'Ingrid Sørensen' }))
  const profile = drawer(page, 'View profile')
  await expect(shown(profile, 'Source')).toHaveText('Added by hand')
  await expect(shown(profile, 'External ID')).toHaveText('NW-100001-N')
  await expect(shown(profile, 'Preferred language')).toHaveText('British English')
  await expect(shown(profile, 'Start date')).toHaveText('05/03/2027')
  await expect(shown(profile, 'Personal phone')).toHaveText('+33612345678')
  await expect(shown(profile, 'Position')).toHaveText('Night shift lead')
})

test('Rarely used fields stand behind a button; a time zone that there is none of is refused at its input', async ({ page }) => {
  await signInAs(page, 'Amara', '/users?search=S%C3%B8rensen')
  await page.getByRole('rowheader').getByRole('button', { name: 'Ingrid Sørensen' }).click()
  const form = await edit(page)
  await button(form, 'More').click()
  await choice(form, 'Locale').selectOption('French (France)')
  await choice(form, 'Time zone').fill('Mars/Olympus')
  await button(form, 'Save').click()
  await expect(choice(form, 'Time zone')).toHaveAccessibleDescription('There is no such time zone.')
  await choice(form, 'Time zone').fill('paris')
  await form.getByRole('option', { name: 'Europe/Paris' }).click()
  const profile = await save(page)
  await expect(shown(profile, 'Locale')).toHaveText('French (France)')
  await expect(shown(profile, 'Time zone')).toHaveText('Europe/Paris')
})

test('A value set over HR stands out, says what HR says, and is taken back', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  const person = londoner(1)
  let profile = await openProfile(page, person)
  const hrSays = (await shown(profile, 'Position').textContent()) ?? ''
  let form = await edit(page)
  await choice(form, 'Position').fill('Head of tea')
  await choice(form, 'Division').focus()
  await expect(choice(form, 'Position')).toHaveCSS('border-top-color', ORANGE)
  await expect(form.getByText('Overridden.')).toHaveCount(1)
  const strip = form.getByRole('region', { name: 'Overrides' })
  await expect(strip.getByText('Saving sets Position over what HR export says.')).toBeVisible()
  await text(strip, 'Reason (optional)').fill('Until the new title is in HR')
  profile = await save(page)
  await expect(shown(profile, 'Position')).toContainText('Head of tea')
  await expect(profile.getByText(/^By Amara Whitfield on .* UTC\. Reason: “Until the new title is in HR”\.$/)).toBeVisible()
  await expect(rowMark(page, person, 'Some values are overridden here')).toHaveCount(1)

  const ask = 'Where does Position come from?'
  await button(profile, ask).click()
  const origin = page.getByRole('region', { name: ask })
  await expect(origin.getByText('Set here over what HR export says.')).toBeVisible()
  await expect(origin.getByText(`HR export says: ${hrSays}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await button(profile, 'Where does Division come from?').click()
  await expect(page.getByText('Column “Division”, mapping version 1')).toBeVisible()
  await page.keyboard.press('Escape')

  form = await edit(page)
  await enterOn(page, button(form, 'Change reason or last day: Position'))
  await expect(strip.getByText('Saving gives the override of Position this reason and last day.')).toBeVisible()
  await expect(text(strip, 'Reason (optional)')).toBeFocused()
  await expect(text(strip, 'Reason (optional)')).toHaveValue('Until the new title is in HR')
  await button(form, 'Cancel').click()
  await expect(profile).toBeVisible()
  form = await edit(page)
  await enterOn(page, button(form, 'Change reason or last day: Position'))
  await typeInto(page, text(strip, 'Reason (optional)'), 'Stays for good')
  await typeInto(page, text(strip, 'Last day (optional)'), '31.12.2099')
  await page.keyboard.press('Escape')
  await button(page.getByRole('dialog', { name: 'Leave without saving?' }), 'Keep editing').click()
  profile = await save(page)
  await expect(profile.getByText(/Reason: “Stays for good”\. Holds until 31\/12\/2099\.$/)).toBeVisible()

  form = await edit(page)
  await button(form, `Restore ${hrSays}`).click()
  await expect(choice(form, 'Position')).toHaveValue(hrSays)
  await expect(form.getByText('Overridden.')).toHaveCount(0)
  profile = await save(page)
  await expect(shown(profile, 'Position')).toHaveText(hrSays)

  await profile.getByRole('tab', { name: 'Timeline' }).click()
  const entries = profile.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  const changed = entries.filter({ hasText: 'Head of tea' })
  await expect(changed.last()).toContainText('Amara Whitfield')
  await expect(changed.last()).toContainText(hrSays)
  await profile.getByRole('radio', { name: 'Source' }).check({ force: true })
  await expect(changed).toHaveCount(0)
  await expect(entries.filter({ hasText: `${person.name} was created.` })).toHaveCount(1)
})

test('Nobody edits a person who is locked, not even in a form that was open before', async ({ page, another }) => {
  await signInAs(page, 'Amara', '/users')
  const person = londoner(2)
  const profile = await openProfile(page, person)
  const saskias = await another('Saskia', '/users')
  await openProfile(saskias, person)
  const form = await edit(saskias)

  await button(profile, 'Lock').click()
  const question = page.getByRole('dialog', { name: `Lock ${person.name} for editing` })
  await button(question, 'Lock').click()
  await expect(text(question, 'Reason')).toHaveAccessibleDescription(/Please enter a reason/)
  await text(question, 'Reason').fill('Under review. '.repeat(40))
  await button(question, 'Lock').click()
  await expect(text(question, 'Reason')).toHaveAccessibleDescription(/This is too long\. Shorten it\./)
  await text(question, 'Reason').fill('Under review')
  await button(question, 'Lock').click()
  await expect(profile.getByText('This user is currently locked for editing', { exact: true })).toBeVisible()
  await expect(profile.getByText('“Under review”, by Amara Whitfield')).toBeVisible()
  await expect(button(profile, 'Edit')).toHaveAttribute('aria-disabled', 'true')
  await expect(button(profile, 'Edit')).toHaveAccessibleDescription('This user is currently locked for editing: Under review')

  await choice(form, 'Position').fill('Night owl')
  await button(form, 'Save').click()
  await expect(form.getByText('Not saved. This user is currently locked for editing: Under review')).toBeVisible()

  await button(profile, 'Unlock').click()
  await expect(profile.getByText('“Under review”')).toBeHidden()
  await button(profile, 'Mark as VIP').click()
  await expect(profile.getByText('This user has been marked as a VIP')).toBeVisible()

  await button(form, 'Save').click()
  const told = saskias.getByRole('dialog', { name: 'Changed by somebody else' })
  await expect(told.getByText('but nothing that you have changed')).toBeVisible()
  await expect(told.getByText('VIP', { exact: true })).toBeVisible()
  await expect(told.getByText(/^Changed by Amara Whitfield on /).last()).toBeVisible()
  await button(told, 'Save on top').click()
  await expect(shown(drawer(saskias, 'View profile'), 'Position')).toContainText('Night owl')

  await button(profile, 'Close').last().click()
  await expect(rowMark(page, person, 'This user has been marked as a VIP')).toBeVisible()
})

test('The second to save is told who changed what, and merges field by field', async ({ page, another }) => {
  await signInAs(page, 'Amara', '/users')
  const person = londoner(3)
  await openProfile(page, person)
  const mine = await edit(page)
  await choice(mine, 'Position').fill('Stock captain')
  await choice(mine, 'Organization').fill('Northwind London Ltd')

  const saskias = await another('Saskia', '/users')
  await openProfile(saskias, person)
  const theirs = await edit(saskias)
  await choice(theirs, 'Position').fill('Window dresser')
  await choice(theirs, 'Division').fill('Flagship')
  const saved = await save(saskias)
  await expect(shown(saved, 'Division')).toContainText('Flagship')

  await button(mine, 'Save').click()
  const question = page.getByRole('dialog', { name: 'Changed by somebody else' })
  await expect(question.getByText(`${person.name} was changed while you were editing.`)).toBeVisible()
  const position = question.getByRole('group', { name: 'Position' })
  await expect(position.getByText(/^Changed by Saskia Brennan on /)).toBeVisible()
  await expect(question.getByRole('region', { name: 'Also changed, and taken over' })).toContainText('Flagship')
  await expect(button(question, 'Save')).toHaveAccessibleDescription('Choose for every field first')
  await position.getByRole('radio', { name: 'Take theirs Window dresser' }).check()
  await button(question, 'Save').click()

  const profile = drawer(page, 'View profile')
  await expect(shown(profile, 'Position')).toContainText('Window dresser')
  await expect(shown(profile, 'Division')).toContainText('Flagship')
  await expect(shown(profile, 'Organization')).toContainText('Northwind London Ltd')
})

test('Leaving with unsaved changes asks', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  await openProfile(page, londoner(4))
  let form = await edit(page)
  await text(form, 'First name').fill('Somebody')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  for (const leave of [() => page.keyboard.press('Escape'), () => button(form, 'Cancel').click(), () => page.goBack()]) {
    await leave()
    await button(question, 'Keep editing').click()
    await expect(text(form, 'First name')).toHaveValue('Somebody')
  }
  await button(form, 'Cancel').click()
  await button(question, 'Leave').click()
  await expect(shown(drawer(page, 'View profile'), 'First name')).not.toHaveText('Somebody')
  form = await edit(page)
  await button(form, 'Cancel').click()
  await expect(question).toBeHidden()
  await expect(drawer(page, 'View profile')).toBeVisible()
})

test('The address holds filter, search and the open person', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  const person = londoner(0)
  await page.getByRole('radio', { name: 'Not invited' }).check({ force: true })
  await openProfile(page, person)
  await expect(page).toHaveURL(/\/users\?.*userId=[^&]+&connectorId=/)
  await page.reload()
  const profile = drawer(page, 'View profile')
  await expect(profile.getByText(`${person.name}, ${person.employeeId}`)).toBeVisible()
  const { searchParams } = new URL(page.url())
  await button(profile, 'Close').last().click()
  await expect(page.getByLabel('Search name, employee ID or email')).toHaveValue(person.employeeId)
  await expect(page.getByRole('radio', { name: 'Not invited' })).toBeChecked()
  await expect(page.getByRole('rowheader')).toHaveCount(1)

  await page.goto(`/users?userId=${searchParams.get('userId')}&connectorId=${searchParams.get('connectorId')}`)
  await expect(profile.getByText(`${person.name}, ${person.employeeId}`)).toBeVisible()
  await expect(page.getByText('61 people', { exact: true })).toBeAttached()
})
