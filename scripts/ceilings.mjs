// Files stay under 300 lines: a longer one has two reasons to change.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './lib/installed.mjs'

const LIMIT = 300
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name && existsSync(path.join(ROOT, name)) && !/(\.test\.tsx?|\.e2e\.ts|\.gen\.ts)$/.test(name))
const tooLong = files
  .map((name) => ({ name, lines: readFileSync(path.join(ROOT, name), 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > LIMIT)
for (const { name, lines } of tooLong) process.stdout.write(`${name} has ${lines} lines; split it by reason to change (${LIMIT} at most)\n`)
process.exit(tooLong.length ? 1 : 0)
