import { feedSeason, modelTaker } from '@instep/server/features/sync/testing/feeds.ts'
import { crashRounds } from './crash/crash-rounds.ts'
import { stageRounds } from './crash/stage-rounds.ts'
import { faultSeasons } from './fault-seasons.ts'
import { syncSeeds } from './sync-seeds.ts'

/**
 * The full counts of what `npm test` runs small: `npm run soak -- crash --rounds 200 [--people 1500] [--seed 1] [--stages 50]`,
 * `npm run soak -- feeds [--seeds 2500] [--seed 1]`, `npm run soak -- targets [--seeds 1000] [--seed 1]`,
 * `npm run soak -- sync [--seeds 5000] [--from 1] [--longest 14]` (with `--path` of a counterexample it is played again).
 */
const [suite, ...words] = process.argv.slice(2)
const option = (name: string, standard: number): number => {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? standard : Number(words[at + 1])
}
const say = (line: string) => process.stdout.write(`${line}\n`)

/** The whole server killed at random moments, then workers at random statements of each part of a run. */
const crash = async (): Promise<number> => {
  const seed = option('seed', 1)
  const { rounds, postmasterKills, people, findings } = await crashRounds({
    rounds: option('rounds', 200),
    people: option('people', 1500),
    seed,
    say,
  })
  for (const finding of findings) say(finding)
  say(`${rounds} kills, ${postmasterKills} of them with the postmaster, ${people} people: ${findings.length} findings`)
  const stages = await stageRounds({ rounds: option('stages', 50), seed, say })
  for (const finding of stages.findings) say(finding)
  say(`${stages.kills} workers killed at random statements: ${stages.findings.length} findings`)
  return findings.length + stages.findings.length
}

/** Seasons of a source, by the product's own reading and guard over a model of the directory (`npm test` holds the model to the product). */
const feeds = async (): Promise<number> => {
  const [first, seeds] = [option('seed', 1), option('seeds', 2500)]
  const sum = { normal: 0, bad: 0, held: 0, findings: 0 }
  for (let seed = first; seed < first + seeds; seed += 1) {
    const taker = modelTaker()
    const { findings, normal, bad, held } = await feedSeason(seed, { taker, days: 6, most: 300 })
    await taker.close()
    for (const finding of findings) say(finding)
    sum.normal += normal
    sum.bad += bad
    sum.held += held
    sum.findings += findings.length
    if ((seed - first + 1) % 250 === 0) say(`${seed - first + 1} of ${seeds} seasons, ${sum.findings} findings`)
  }
  say(
    `${seeds} seasons, ${sum.normal} normal days, ${sum.bad} bad feeds of which ${sum.held} were held or refused: ${sum.findings} findings`,
  )
  return sum.findings
}

/** Every fault of a target × every operation, judged by the target's own accounts. */
const targets = async (): Promise<number> => {
  const { seasons, requests, findings } = await faultSeasons({ first: option('seed', 1), seeds: option('seeds', 1000), say })
  say(`${seasons} seasons, ${requests} requests: ${findings.length} findings`)
  return findings.length
}

/** Random sequences of everything that happens to a source, each compared with a small model of the directory after every step. */
const sync = async (): Promise<number> => {
  const [first, seeds, longest] = [option('from', 1), option('seeds', 5000), option('longest', 14)]
  const at = words.indexOf('--path')
  const found = await syncSeeds({ first, seeds, longest, path: at < 0 ? undefined : words[at + 1], say })
  say(`${seeds} sequences from seed ${first} on: ${found} counterexamples`)
  return found
}

const SUITES = new Map([
  ['targets', targets],
  ['crash', crash],
  ['feeds', feeds],
  ['sync', sync],
])
const run = SUITES.get(suite ?? '')
if (!run) {
  process.stderr.write(`Which suite? One of: ${[...SUITES.keys()].join(', ')}. Example: npm run soak -- crash --rounds 200\n`)
  process.exit(1)
}
process.exit((await run()) > 0 ? 1 : 0)
