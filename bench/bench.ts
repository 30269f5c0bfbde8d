import { writeFileSync } from 'node:fs'
import { consoleScenario } from './console.ts'
import { groupsScenario } from './groups.ts'
import { measure, type Scenario, table } from './harness.ts'
import { importScenario } from './import.ts'
import { isolationScenario } from './isolation.ts'
import { listScenario } from './list.ts'
import { provisionScenario } from './provision.ts'
import { syncScenario } from './sync.ts'

/** `npm run bench -- <scenario> [--rounds 5] [--json FILE] [--rows N …]` */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  console: consoleScenario,
  groups: groupsScenario,
  import: importScenario,
  isolation: isolationScenario,
  list: listScenario,
  provision: provisionScenario,
  sync: syncScenario,
}

const words = process.argv.slice(2)
const scenario = SCENARIOS[words[0] ?? '']
const options = new Map(
  words.flatMap((word, index) => (word.startsWith('--') ? [[word.slice(2), words[index + 1] ?? '']] : [])) as [string, string][],
)
if (!scenario) {
  process.stderr.write(`Which scenario? One of: ${Object.keys(SCENARIOS).join(', ')}. Example: npm run bench -- import\n`)
  process.exit(1)
}
const rounds = Number(options.get('rounds') ?? 5)
const sides = await scenario.prepare(options)
try {
  const results = await measure(scenario, sides, rounds)
  process.stdout.write(`${table(results)}\n`)
  for (const line of (await sides.report?.()) ?? []) process.stdout.write(`${line}\n`)
  const file = options.get('json')
  if (file) writeFileSync(file, `${JSON.stringify({ scenario: scenario.name, results }, null, 2)}\n`)
} finally {
  await sides.close()
}
