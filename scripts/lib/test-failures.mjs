/** A suite that Playwright reports: suites within suites, each with what was run in it. @typedef {{ title: string, suites?: Suite[], specs?: Spec[] }} Suite */
/** @typedef {{ title: string, ok: boolean, tests: { status: string, results: { error?: { message?: string } }[] }[] }} Spec */

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
const shortly = (/** @type {string | undefined} */ message) =>
  (message ?? 'no message')
    .replace(COLOURS, '')
    .split('\n')
    .filter((line) => line.trim() && !line.includes('node_modules'))
    .slice(0, 6)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n')

/** What failed by the report of Vitest (`--reporter=json`): a text each, the file and the sentence first, then the first lines of why. */
export const vitestFailures = (
  /** @type {{ testResults: { name: string, message: string, status: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }[] }} */ report,
) =>
  report.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status !== 'passed')
    if (failed.length === 0) return status === 'failed' ? [`${name}\n${shortly(message)}`] : []
    return failed.map((test) => `${name}: ${test.fullName} (${test.status})\n${shortly(test.failureMessages?.[0])}`)
  })

/** What failed by the report of Playwright (`json`), in the same form; one that passed at a second try or was left out counts too. */
export const playwrightFailures = (/** @type {{ suites: Suite[], errors?: { message?: string }[] }} */ report) => {
  /** @type {(suite: Suite, above: string[]) => string[]} */
  const failedIn = (suite, above) => {
    const names = [...above, suite.title]
    const here = (suite.specs ?? []).flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status !== 'expected')
        .map(
          ({ status, results }) =>
            `${[...names, title].join(': ')} (${status})\n${shortly(results.find(({ error }) => error)?.error?.message)}`,
        ),
    )
    return [...here, ...(suite.suites ?? []).flatMap((inner) => failedIn(inner, names))]
  }
  return [...report.suites.flatMap((suite) => failedIn(suite, [])), ...(report.errors ?? []).map(({ message }) => shortly(message))]
}
