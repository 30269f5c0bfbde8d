import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The master key: as given, else made once and kept in the data folder, readable by its owner only.
 *
 * @param given base64 from the settings
 */
export const masterKey = (given: string | undefined, dataDir: string): Buffer => {
  if (given) return Buffer.from(given, 'base64')
  const file = path.join(dataDir, 'secret.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' })
  }
  return Buffer.from(readFileSync(file, 'utf8'), 'base64')
}
