import { crashRounds } from './crash/crash-rounds.ts'

/** `npm run soak -- crash --rounds 200 [--people 1500] [--seed 1]`: the full counts of what `npm test` runs small. */
const [suite, ...words] = process.argv.slice(2)
const option = (name: string, standard: number): number => {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? standard : Number(words[at + 1])
}
if (suite !== 'crash') {
  process.stderr.write('Which suite? One of: crash. Example: npm run soak -- crash --rounds 200\n')
  process.exit(1)
}
const say = (line: string) => process.stdout.write(`${line}\n`)
const { rounds, postmasterKills, people, findings } = await crashRounds({
  rounds: option('rounds', 200),
  people: option('people', 1500),
  seed: option('seed', 1),
  say,
})
for (const finding of findings) say(finding)
say(`${rounds} kills, ${postmasterKills} of them with the postmaster, ${people} people: ${findings.length} findings`)
process.exit(findings.length ? 1 : 0)
