import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { startServer } from '../e2e/start-server.ts'
import { DEMONSTRATION_ADMINS, SANDBOX_PASSWORD } from '../server/src/sandbox/sign-ins.ts'
import type { Figures, Scenario } from './harness.ts'

const ROWS = 250
const SEED = path.resolve(import.meta.dirname, '../server/src/sandbox/seed-people.script.ts')

/** Runs `act` in the page and answers the milliseconds until `done` holds and the browser has painted it. */
const paintedAfter = (page: Page, act: string, done: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const begun = performance.now()
    const look = () => {
      if (${done}) return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
      if (performance.now() - begun > 15000) return reject(new Error('not shown'))
      requestAnimationFrame(look)
    }
    ${act}
    look()
  })`)

const rowsShown = `document.querySelectorAll('tbody tr').length`
const allSelected = `document.querySelectorAll('tbody input[type=checkbox]:checked').length === ${ROWS}`
const noneSelected = `document.querySelectorAll('tbody input[type=checkbox]:checked').length === 0`
const drawerShown = `document.querySelector('[role=dialog] h2, [role=dialog] h1') && document.querySelectorAll('[role=dialog] dd').length > 5`

/** A page of rows by the select under the table. */
const choosePageSize = (size: number): string => `
  const select = [...document.querySelectorAll('select')].find((one) => [...one.options].some(({ value }) => value === '${ROWS}'))
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, '${size}')
  select.dispatchEvent(new Event('change', { bubbles: true }))`

const oneRound = async (page: Page): Promise<Figures> => {
  const show = await paintedAfter(page, choosePageSize(ROWS), `${rowsShown} >= ${ROWS}`)
  const select = await paintedAfter(page, `document.querySelector('thead input[type=checkbox]').click()`, allSelected)
  await paintedAfter(page, `document.querySelector('thead input[type=checkbox]').click()`, noneSelected)
  const open = await paintedAfter(page, `document.querySelector('tbody tr button').click()`, drawerShown)
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'hidden' })
  await paintedAfter(page, choosePageSize(10), `${rowsShown} === 10`)
  return { '250 rows': show, 'select all': select, drawer: open }
}

/** The floor: the browser building a table of as many plain cells from data that is there already. */
const floor = (page: Page): Promise<number> =>
  paintedAfter(
    page,
    `const table = document.createElement('table'); table.id = 'floor'
     table.innerHTML = Array.from({ length: ${ROWS} }, (_, row) => '<tr>' + Array.from({ length: 8 }, (_, cell) => '<td>' + row + ' ' + cell + '</td>').join('') + '</tr>').join('')
     document.body.append(table)`,
    `document.querySelectorAll('#floor tr').length === ${ROWS}`,
  )

/** The people list in Chromium: a page of 250 rows, all of them selected, a profile opened; the server on the same machine, everything warm. */
export const consoleScenario: Scenario = {
  name: 'console',
  units: { '250 rows': 'ms', 'select all': 'ms', drawer: 'ms' },
  prepare: async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-bench-console-'))
    const seeded = spawnSync(process.execPath, [SEED, '--users', '10000'], { env: { ...process.env, DATA_DIR: dataDir }, stdio: 'inherit' })
    if (seeded.status !== 0) throw new Error('the directory could not be seeded')
    const server = await startServer('implicit', { directory: dataDir })
    const executablePath = process.env['CHROMIUM']
    const browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const [amara] = DEMONSTRATION_ADMINS.filter(({ name }) => name.startsWith('Amara '))
    await page.goto(`${server.url}/users`)
    await page.getByLabel('Email').fill(amara?.email ?? '')
    await page.getByLabel('Password').fill(SANDBOX_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('tbody tr').nth(9).waitFor()
    return {
      subject: () => oneRound(page),
      floor: async () => {
        const shown = await floor(page)
        await page.evaluate(`document.querySelector('#floor').remove()`)
        return { '250 rows': shown }
      },
      report: async () => ['Must hold: 250 rows under 250 ms, select all under 60 ms, drawer under 150 ms.'],
      close: async () => {
        await browser.close()
        await server.stop()
      },
    }
  },
}
