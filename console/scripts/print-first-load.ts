import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** What the first load may weigh at most, in kB of JavaScript after gzip (docs/decisions/0030-what-the-console-carries.md). */
const LIMIT = 188

const ROUTE = 'features/people/people-page.tsx'

interface Chunk {
  code: string
  imports: readonly string[]
  isEntry: boolean
  facadeModuleId: string | null
}

/** The chunks that are loaded before the given ones can run, themselves included. */
const withImports = (chunks: ReadonlyMap<string, Chunk>, first: readonly string[]): Set<string> => {
  const found = new Set<string>()
  const visit = (name: string): void => {
    const chunk = chunks.get(name)
    if (!chunk || found.has(name)) return
    found.add(name)
    chunk.imports.forEach(visit)
  }
  first.forEach(visit)
  return found
}

/** Prints what the console's first load weighs, entry and people route together, and fails the build above the limit. */
export const printFirstLoad = (): Plugin => ({
  name: 'print-first-load',
  apply: 'build',
  writeBundle(_options, bundle) {
    const chunks = new Map<string, Chunk>()
    for (const [name, output] of Object.entries(bundle)) if (output.type === 'chunk') chunks.set(name, output)
    const words = [...chunks.keys()].filter(
      (name) => /(^|\/)(common|shell|people)-/.test(name) && chunks.get(name)?.facadeModuleId?.includes('en_GB'),
    )
    const first = [...chunks].filter(([, chunk]) => chunk.isEntry || chunk.facadeModuleId?.endsWith(ROUTE)).map(([name]) => name)
    const loaded = withImports(chunks, [...first, ...words])
    const sizes = [...loaded]
      .map((name) => [name, gzipSync(chunks.get(name)?.code ?? '').length / 1000] as const)
      .sort((a, b) => b[1] - a[1])
    const total = sizes.reduce((sum, [, size]) => sum + size, 0)
    for (const [name, size] of sizes) this.info(`${size.toFixed(1).padStart(7)} kB  ${name}`)
    const line = `first load (entry and people route): ${total.toFixed(1)} kB of JavaScript after gzip; at most ${LIMIT}`
    if (total > LIMIT) this.error(line)
    this.info(line)
  },
})
