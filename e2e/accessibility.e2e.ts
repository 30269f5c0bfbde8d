import { AxeBuilder } from '@axe-core/playwright'
import { startWebhookReceiver, type WebhookReceiver } from '@instep/connectors/webhook/testing/webhook-receiver.ts'
import type { Locator, Page } from '@playwright/test'
import { applyPlan, downloadExport, giveFile, nextDay, planFile } from './hr-export.ts'
import { expect, PASSWORD, person, signInAs, signInByForm, test } from './instep.ts'
import { arrowTo, enterOn, tabTo } from './keyboard.ts'

// a page in the middle of a transition has colours that nobody reads
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.describe.configure({ mode: 'serial' })

let receiver: WebhookReceiver
test.beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
test.afterAll(() => receiver.close())

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

// where the pages are that the check walks through
const addresses = new Map<string, string>()

test('The whole main job is done with the keyboard alone', async ({ page, server }) => {
  const file = await downloadExport(page.request, server.sandbox)
  await page.goto('/')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(person('Amara').email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  await page.keyboard.press('Tab')
  await expect(button(page, 'Skip to content')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  await enterOn(page, link(page, 'Connectors'))
  await enterOn(page, page.getByRole('button', { name: 'HR export', exact: true }))
  await enterOn(page, link(page, 'Import people'))
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, page.getByLabel('Drop a CSV or XLSX file here, or choose one'))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(file)

  const column = page.getByRole('combobox', { name: 'City', exact: true })
  await tabTo(page, column)
  await page.keyboard.press('Home')
  await expect(column).toHaveValue('')
  await arrowTo(page, column, 'City')
  await expect(column).toHaveValue('City')
  await enterOn(page, button(page, 'See what would change'))

  const created = page.getByRole('tab', { name: 'Created 60' })
  await tabTo(page, created)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Updated 0' })).toBeFocused()
  await expect(page.getByText('Nobody would be updated')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(created).toBeFocused()

  const row = page.getByRole('rowheader').first().getByRole('button')
  await enterOn(page, row)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row).toBeFocused()

  await enterOn(page, button(page, 'Apply the plan'))
  await expect(page.getByText('Done: 60 people created.')).toBeVisible()
  await expect(page.getByText('60 accounts in step')).toBeVisible()
  addresses.set('run, done', page.url())
})

test('The focus returns to what opened a drawer, a menu or a dialog', async ({ page }) => {
  await signInAs(page, 'Amara', '/users')
  const opener = page.getByRole('rowheader').first().getByRole('button')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click(),
  ]) {
    await opener.click()
    await expect(page.getByRole('dialog', { name: 'View profile' })).toBeVisible()
    await close()
    await expect(opener).toBeFocused()
  }
  const theme = page.getByRole('button', { name: /^Colour scheme/ })
  await enterOn(page, theme)
  await expect(page.getByRole('menuitemradio', { name: 'As the system' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(theme).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Search or jump to/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(theme).toBeFocused()
})

test('There are pages of every kind to look at', async ({ page, server }) => {
  await signInAs(page, 'Amara', '/users')
  await page.getByRole('rowheader').first().getByRole('button').click()
  const profile = page.getByRole('dialog', { name: 'View profile' })
  await expect(profile.getByText('In step')).toBeVisible()
  addresses.set('profile', page.url())
  addresses.set('sync', (await profile.getByRole('link', { name: 'Sync' }).getAttribute('href')) ?? '')
  await profile.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Update user' })
  await form.getByRole('combobox', { name: 'Position' }).fill('Head of tea')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(profile.getByText('Overridden.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(profile).toBeHidden()
  await nextDay(page.request, server.sandbox)
  await planFile(page, await downloadExport(page.request, server.sandbox))
  await applyPlan(page)
  addresses.set('run, some of each', page.url())
  await page.getByRole('button', { name: 'Undo this run' }).click()
  await expect(page.getByText('The source still says what it said')).toBeVisible()
  addresses.set('run, undoing', page.url())
  await page.getByRole('button', { name: 'Reject the plan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject the plan' }).click()
  await expect(page.getByText('The plan was rejected. Nothing has changed.').first()).toBeVisible()
  await page.goto(addresses.get('run, some of each') ?? '')
  await page.getByRole('link', { name: 'Log of this run' }).click()
  await expect(page).toHaveURL(/correlationId=/)
  addresses.set('log drawer', `/logs?details=${new URL(page.url()).searchParams.get('correlationId')}`)
  await planFile(page, await downloadExport(page.request, server.sandbox, { trouble: 'missing-people' }))
  await expect(page.getByText('This run is held. Nothing has changed.')).toBeVisible()
  addresses.set('run, held', page.url())
  await giveFile(page, await downloadExport(page.request, server.sandbox, { trouble: 'bad-rows' }))
  await expect(page.getByRole('button', { name: 'See what would change' })).toBeVisible()
  addresses.set('import, columns', page.url())
  addresses.set('import, file', page.url().replace(/\?.*/, ''))
  addresses.set('connector, source', page.url().replace(/\/import.*/, ''))

  await page.goto('/connectors')
  await page.getByRole('button', { name: 'Workplace' }).click()
  await expect(page).toHaveURL(/connectors\/./)
  addresses.set('connector, target', page.url())
  const drift = page.getByRole('region', { name: 'Changed by hand at the target' })
  await drift.getByRole('button', { name: 'Read back now' }).click()
  await expect(drift.getByText(/^Read back .* accounts\.$/)).toBeVisible()
  await page.goto('/connectors?form=new')
  const added = page.getByRole('dialog', { name: 'Add connector' })
  await added.getByLabel('Kind').selectOption('By hand')
  await added.getByLabel('Name').fill('Door system')
  await added.getByLabel('Instructions').fill('Badge office, ground floor.')
  await added.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/tasks wait for a person\.$/)).toBeVisible()
  addresses.set('connector, by hand', page.url())
  await page.goto('/connectors?form=new')
  await added.getByLabel('Kind').selectOption('Webhook')
  await added.getByLabel('Name').fill('Apps')
  await added.getByLabel('Address').fill(receiver.url)
  await added.getByLabel(/^Signing secret/).fill(receiver.secret)
  await added.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Signature' })).toBeVisible()
  addresses.set('connector, webhook', page.url())
  await page.goto('/connectors')
  await page.getByRole('button', { name: 'Add connector' }).click()
  addresses.set('connector, form', page.url())
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Agency export')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Import people' }).click()
  const file = await downloadExport(page.request, server.sandbox, { trouble: 'bad-rows' })
  await page.getByLabel('Drop a CSV or XLSX file here, or choose one').setInputFiles(file)
  await page.getByRole('button', { name: 'See what would change' }).click()
  await expect(page.getByRole('tab', { name: /^Conflicts/ })).toBeVisible()
  addresses.set('run, planned', page.url())
})

type Mode = 'light' | 'dark' | 'Arabic'

/** Chooses the modes as a person does; the console remembers the last for every page that follows. */
const choose = async (page: Page, mode: Mode | 'as the system') => {
  if (mode === 'Arabic') {
    await page.getByRole('button', { name: /^Language/ }).click()
    await page.getByRole('combobox', { name: 'Language' }).fill('Arabic')
    await page.getByRole('option', { name: 'Arabic' }).first().click()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  } else {
    await page.getByRole('button', { name: /^Colour scheme/ }).click()
    await page.getByRole('menuitemradio', { name: { light: 'Light', dark: 'Dark', 'as the system': 'As the system' }[mode] }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', mode === 'dark' ? 'dark' : 'light')
  }
}

interface Stop {
  name: string
  address: string
  /** What stands there once the page is complete; data, because words depend on the language. */
  shows: (page: Page) => Locator
  open?: (page: Page) => Promise<void>
}

const stops = (): Stop[] => {
  const at = (name: string): string => addresses.get(name) ?? ''
  const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first()
  const row = (page: Page) => page.getByRole('rowheader').first()
  const drawer = (page: Page) => page.getByRole('dialog').getByRole('heading').first()
  return [
    { name: 'dashboard', address: '/', shows: text('Store operations') },
    { name: 'people', address: '/users', shows: row },
    {
      name: 'filter',
      address: '/users',
      shows: row,
      open: async (page) => {
        await page.locator('[data-opens-filter]').click()
        await expect(page.getByRole('dialog').getByRole('combobox').first()).toBeVisible()
      },
    },
    { name: 'profile', address: at('profile'), shows: (page) => page.getByRole('dialog').getByText('NW-').first() },
    {
      name: 'profile form',
      address: at('profile'),
      shows: drawer,
      open: async (page) => {
        await page.getByRole('dialog').getByText('Head of tea').waitFor()
        await page.getByRole('dialog').getByRole('button').last().click()
        await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
      },
    },
    { name: 'person form', address: '/users?form=new', shows: (page) => page.getByRole('dialog').getByRole('textbox').first() },
    { name: 'overrides', address: '/overrides', shows: row },
    {
      name: 'sync of one person',
      address: at('sync'),
      shows: row,
      open: async (page) => {
        await page.getByRole('main').locator('header').getByRole('button').first().click()
        await expect(page.getByRole('main').locator('summary').first()).toBeVisible()
      },
    },
    { name: 'tasks', address: '/tasks', shows: row },
    {
      name: 'task',
      address: '/tasks',
      shows: row,
      open: async (page) => {
        await row(page).getByRole('button').click()
        await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
      },
    },
    { name: 'messages', address: '/messages', shows: row },
    { name: 'sites', address: '/sites-and-groups', shows: row },
    { name: 'site form', address: '/sites-and-groups?form=new', shows: (page) => page.getByRole('dialog').getByRole('textbox').first() },
    { name: 'site groups', address: '/sites-and-groups?tab=groups', shows: row },
    { name: 'default values', address: '/settings', shows: (page) => page.getByRole('tabpanel').getByRole('combobox').last() },
    { name: 'lookup values', address: '/settings?tab=lookups&kind=JobTitle', shows: row },
    { name: 'security attributes', address: '/settings?tab=attributes', shows: row },
    { name: 'connectors', address: '/connectors', shows: row },
    { name: 'connector form', address: at('connector, form'), shows: (page) => page.getByRole('dialog').getByRole('textbox').first() },
    { name: 'connector, source', address: at('connector, source'), shows: text('northwind-employees-day-1.csv') },
    { name: 'configuration', address: `${at('connector, source')}/configuration`, shows: row },
    { name: 'configuration, version', address: `${at('connector, source')}/configuration?version=1`, shows: drawer },
    { name: 'configuration, import', address: `${at('connector, source')}/configuration?import=open`, shows: drawer },
    { name: 'connector, target', address: at('connector, target'), shows: text('/scim/v2') },
    {
      name: 'connector, target, drift',
      address: at('connector, target'),
      shows: (page) => page.getByRole('region', { name: 'Changed by hand at the target' }).getByText(/Read back .* accounts\./),
    },
    { name: 'connector, by hand', address: at('connector, by hand'), shows: row },
    { name: 'connector, webhook', address: at('connector, webhook'), shows: (page) => page.locator('summary').first() },
    { name: 'import, file', address: at('import, file'), shows: (page) => page.locator('input[type=file]') },
    { name: 'import, columns', address: at('import, columns'), shows: text('northwind-employees-day-2.csv') },
    { name: 'run, done', address: at('run, done'), shows: row },
    { name: 'run, some of each', address: at('run, some of each'), shows: row },
    { name: 'run, undoing', address: at('run, undoing'), shows: row },
    { name: 'run, held', address: at('run, held'), shows: row },
    {
      name: 'reject dialog',
      address: at('run, held'),
      shows: row,
      open: async (page) => {
        await page.getByRole('main').getByRole('textbox').first().press('Tab')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
    { name: 'run, planned', address: at('run, planned'), shows: row },
    { name: 'plan row', address: `${at('run, held')}?row=1`, shows: drawer },
    { name: 'runs', address: '/runs', shows: row },
    {
      name: 'search',
      address: '/runs',
      shows: row,
      open: async (page) => {
        await page.keyboard.press('Control+k')
        await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
      },
    },
    { name: 'logs', address: '/logs', shows: row },
    { name: 'log drawer', address: at('log drawer'), shows: drawer },
    { name: 'not found', address: '/no/such/page', shows: text('404') },
  ]
}

// The colour schemes differ in the values of colours and in nothing else (ui/src/tokens.css).
const RULES_ABOUT_COLOUR = ['color-contrast', 'link-in-text-block']
const AXE_IS_THERE = ';'

/** Every standard rule of axe, in every mode; on a page that was looked at in the other colours, those that colours can break. */
const rulesOf = (page: Page, inOtherColours: boolean): AxeBuilder => {
  const all = new AxeBuilder(inOtherColours ? { page, axeSource: AXE_IS_THERE } : { page }).options({ resultTypes: ['violations'] })
  // no page has a frame of another origin, so one call in the page itself is enough; it takes half the time
  return (inOtherColours ? all.withRules(RULES_ABOUT_COLOUR) : all).setLegacyMode()
}

/** Looks at the page as it stands, in each mode; light and dark are two looks of one page, which follows the system. */
const violationsIn = async (page: Page, modes: readonly Mode[], name: string): Promise<string[]> => {
  const found: string[] = []
  for (const [index, mode] of modes.entries()) {
    if (mode !== 'Arabic') {
      await page.emulateMedia({ colorScheme: mode })
      // the sign-in page is the identity system's, which has no such mark
      await expect(page.locator(`html[data-mantine-color-scheme=${mode}], html:not([data-mantine-color-scheme])`)).toBeAttached()
    }
    const { violations } = await rulesOf(page, index > 0).analyze()
    for (const { id, help, nodes } of violations)
      for (const { target, any, html } of nodes)
        found.push(`${mode}, ${name}: ${id} (${help}) at ${target.join(' ')}: ${any[0]?.message ?? html}`)
  }
  return found
}

for (const modes of [['light', 'dark'], ['Arabic']] as const)
  test(`axe finds nothing on any page, ${modes.join(' and ')}`, async ({ page }) => {
    // some fifty pages, and as many looks again
    test.setTimeout(900_000)
    const found: string[] = []
    await page.goto('/auth/logged-out')
    await signInByForm(page, 'Amara', '/runs')
    for (const mode of modes) await choose(page, mode)
    if (modes.length > 1) await choose(page, 'as the system')
    let stands = ''
    for (const { name, address, shows, open } of stops()) {
      // what opens on a page that stands there is opened on it, as a person does
      if (address !== stands || !open) await page.goto(address)
      stands = address
      await expect(shows(page), name).toBeVisible()
      await open?.(page)
      found.push(...(await violationsIn(page, modes, name)))
    }
    await page.goto('/auth/logout')
    await expect(page).toHaveURL(/\/auth\/logged-out$/)
    await expect(page.getByRole('heading')).toBeVisible()
    found.push(...(await violationsIn(page, modes, 'signed out')))
    await page.goto('/')
    await expect(page.getByLabel('Email')).toBeVisible()
    expect([...found, ...(await violationsIn(page, modes, 'sign in'))]).toEqual([])
  })
