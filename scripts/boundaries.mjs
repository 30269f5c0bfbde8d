// Who may import whom: no cycles, workspaces by runtime, features by row, rules and policies pure. Fails when it looked at nothing.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { cruise } from 'dependency-cruiser'
import { ROOT } from './lib/installed.mjs'

// a feature may use those in rows above it, never beside or below
const FEATURE_ROWS = [
  ['conditions', 'tenants', 'lookups', 'settings', 'templates', 'logs', 'saved-views'],
  ['provisioning', 'messaging'],
  ['sites', 'users', 'admins', 'connectors', 'scim-in'],
  ['sync', 'exports', 'overrides'],
  ['imports', 'jobs', 'activation', 'membership', 'sso', 'shifts', 'compliance'],
  ['dashboard', 'feedback'],
]
const TEST = '(\\.test\\.tsx?|/testing/)'

const features = readdirSync(path.join(ROOT, 'server/src/features'))
const rowOf = (/** @type {string} */ feature) => FEATURE_ROWS.findIndex((row) => row.includes(feature))
const unplaced = features.filter((feature) => rowOf(feature) < 0)
if (unplaced.length) {
  process.stdout.write(`features without a row in scripts/boundaries.mjs: ${unplaced.join(', ')}\n`)
  process.exit(1)
}

const folder = (/** @type {string} */ feature) => `^server/src/features/${feature}/`
const featureRules = features.map((feature) => ({
  name: `feature-row-${feature}`,
  comment: 'a feature uses only features in rows above its own',
  severity: 'error',
  from: { path: folder(feature), pathNot: TEST },
  to: {
    path:
      features
        .filter((other) => other !== feature && rowOf(other) >= rowOf(feature))
        .map(folder)
        .join('|') || '^never$',
  },
}))
const faceRules = features.map((feature) => ({
  name: `feature-face-${feature}`,
  comment: 'a feature is used through its public.ts',
  severity: 'error',
  from: { path: '^server/src/features/', pathNot: [folder(feature), TEST] },
  to: { path: folder(feature), pathNot: `${folder(feature)}public\\.ts$` },
}))

const forbid = (/** @type {string} */ name, /** @type {object} */ from, /** @type {object} */ to) => ({ name, severity: 'error', from, to })
const rules = [
  forbid('no-cycles', { pathNot: 'node_modules' }, { circular: true }),
  forbid(
    'contract-depends-on-little',
    { path: '^contract/src', pathNot: TEST },
    { path: '.', pathNot: '^contract/|node_modules/(zod|jsonata|re2js)/' },
  ),
  forbid('connectors-know-no-server', { path: '^connectors/' }, { path: '^(server|console|ui|sandbox)/' }),
  forbid('server-knows-no-browser', { path: '^server/' }, { path: '^(console|ui)/' }),
  forbid('server-knows-no-sandbox', { path: '^server/src', pathNot: TEST }, { path: '^sandbox/', pathNot: '^sandbox/src/world\\.ts$' }),
  forbid(
    'browser-knows-no-server',
    { path: '^(console|ui)/src' },
    { path: '^(server|connectors|sandbox)/|node_modules/(pg|fastify|kysely)/' },
  ),
  forbid('ui-fetches-and-routes-nothing', { path: '^ui/src' }, { path: '^console/|node_modules/@tanstack/(react-query|react-router)/' }),
  forbid(
    'platform-knows-no-feature',
    { path: '^server/src/platform', pathNot: TEST },
    { path: '^server/src/(features|app\\.ts|main\\.ts)' },
  ),
  forbid(
    'rules-are-pure',
    { path: '\\.(rules|policy)\\.ts$' },
    { path: '^server/src/(platform/(db|http|clock)|features/.*(store|views|routes))' },
  ),
  forbid('rules-know-no-machine', { path: '\\.(rules|policy)\\.ts$' }, { dependencyTypes: ['core'] }),
  forbid(
    'console-features-stand-alone',
    { path: '^console/src/features/([^/]+)/', pathNot: TEST },
    { path: '^console/src/features/', pathNot: '^console/src/features/$1/' },
  ),
  ...featureRules,
  ...faceRules,
]

export const cruiseFor = async (/** @type {string[]} */ places, /** @type {string} */ base = ROOT) => {
  const result = await cruise(
    places,
    {
      baseDir: base,
      parser: 'swc',
      validate: true,
      ruleSet: { forbidden: /** @type {any} */ (rules) },
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '/dist/' },
      tsPreCompilationDeps: true,
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  )
  return typeof result.output === 'string' ? JSON.parse(result.output) : result.output
}

if (process.argv[1]?.endsWith('boundaries.mjs')) {
  const { summary } = await cruiseFor(['contract/src', 'connectors/src', 'server/src', 'ui/src', 'console/src', 'sandbox/src', 'bench'])
  for (const { rule, from, to } of summary.violations) process.stdout.write(`${rule.name}: ${from} → ${to}\n`)
  if (summary.totalCruised < 100) process.stdout.write(`only ${summary.totalCruised} modules were looked at: the check itself is broken\n`)
  process.exit(summary.violations.length || summary.totalCruised < 100 ? 1 : 0)
}
