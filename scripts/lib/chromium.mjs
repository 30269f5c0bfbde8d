import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { environment, ROOT } from './installed.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'msedge']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

const isRunnable = (/** @type {string} */ file) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A Chromium or Chrome that is installed on this machine; `CHROMIUM` names one. */
const installedChromium = () => {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const found = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [process.env.CHROMIUM ?? '', ...found, ...PLACES].find((file) => file && isRunnable(file))
}

const installDebianPackage = () => {
  process.stdout.write('Installing Chromium for the browser tests …\n')
  const quiet = /** @type {const} */ ({ stdio: ['ignore', 'ignore', 'inherit'], env: environment({ DEBIAN_FRONTEND: 'noninteractive' }) })
  spawnSync('apt-get', ['update', '-qq'], quiet)
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet).status === 0
}

/** Playwright's own download; its place is Playwright's to know, so no path comes back. */
const installPlaywrightBrowser = () =>
  spawnSync(process.execPath, [path.join(ROOT, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  }).status === 0

/**
 * A browser for the journeys: installed, else Debian's package (as root), else Playwright's download, else a clear message.
 *
 * @returns {string | undefined} the executable; undefined when Playwright uses its own
 */
export const ensureChromium = () => {
  const installed = installedChromium()
  if (installed) return installed
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && installDebianPackage()) return installedChromium()
  if (installPlaywrightBrowser()) return undefined
  process.stderr.write(
    'The browser tests need Chromium. Install Chromium or Chrome (or set CHROMIUM to its path), then run the command again.\n',
  )
  return process.exit(1)
}
