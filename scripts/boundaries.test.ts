import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cruiseFor } from './boundaries.mjs'

/** A check that cannot fail is a defect: walls that are broken on purpose must show. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'instep-walls-'))
  const write = (file: string, text: string) => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  write('package.json', '{"type":"module"}')
  write('server/src/features/tenants/tenants.store.ts', "import { users } from '../users/users.store.ts'\nexport const tenants = users\n")
  write('server/src/features/users/users.store.ts', 'export const users = 1\n')
  write('server/src/platform/clock.ts', 'export const clock = 1\n')
  write(
    'server/src/features/sync/plan.rules.ts',
    "import { readFileSync } from 'node:fs'\nimport { clock } from '../../platform/clock.ts'\nexport const plan = [readFileSync, clock]\n",
  )
  write('console/src/a.ts', "import { b } from './b.ts'\nexport const a = b\n")
  write('console/src/b.ts', "import { a } from './a.ts'\nexport const b = a\n")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('shows a feature that reaches below its row or past a public.ts, a rule that is not pure, and a cycle', async () => {
  const { summary } = await cruiseFor(['server/src', 'console/src'], folder)
  const broken = new Set(summary.violations.map(({ rule }: { rule: { name: string } }) => rule.name))
  expect([...broken].sort()).toEqual(['feature-face-users', 'feature-row-tenants', 'no-cycles', 'rules-are-pure', 'rules-know-no-machine'])
})
