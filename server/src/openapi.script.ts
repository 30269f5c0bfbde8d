import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { apiTable, permissionsTable, settingsTable } from './generated-docs.ts'
import { openApiDocument } from './openapi-document.ts'

/**
 * Writes what is generated from code: `openapi.json`, the tables of calls in `docs/api.md` and `docs/permissions.md`, the table of settings in `docs/operations.md`.
 * With `--check` it writes nothing and fails when a file differs, so that a change on the wire is a deliberate one.
 */
const root = path.resolve(import.meta.dirname, '../..')
const check = process.argv.includes('--check')

const between = (file: string, table: string): string => {
  const text = readFileSync(path.join(root, file), 'utf8')
  const [start, end] = ['<!-- generated -->', '<!-- /generated -->']
  return `${text.slice(0, text.indexOf(start) + start.length)}\n${table}\n${text.slice(text.indexOf(end))}`
}

const wanted: Record<string, string> = {
  'openapi.json': `${JSON.stringify(openApiDocument(), null, 1)}\n`,
  'docs/api.md': between('docs/api.md', apiTable()),
  'docs/permissions.md': between('docs/permissions.md', permissionsTable()),
  'docs/operations.md': between('docs/operations.md', settingsTable()),
}

for (const [file, content] of Object.entries(wanted)) {
  if (!check) writeFileSync(path.join(root, file), content)
  else if (readFileSync(path.join(root, file), 'utf8') !== content) {
    process.stdout.write(`${file} is not what the code says. If the change is meant, run "npm run openapi" and commit the file.\n`)
    process.exitCode = 1
  }
}
