import { CONFIG_FORMAT, type ConfigFile } from '@instep/contract/config-versions.ts'
import { ConnectorConfig } from '@instep/contract/connector-config.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { assertComplete } from './assert-complete.ts'
import { namesOf, resolveNames } from './config-names.ts'
import type { FullVersion } from './config-versions.views.ts'

/** A version of a configuration as the file that it is taken along in. */
export const configFile = async (
  db: Db,
  { tenantId, connector, version }: { tenantId: string; connector: string; version: FullVersion },
): Promise<ConfigFile> => {
  const { mappingVersion: _, ...config } = version.config
  const names = await namesOf(db, tenantId, config)
  return { format: CONFIG_FORMAT, formatVersion: 1, connector, version: version.version, config, names }
}

/**
 * The configuration that a file holds, as it is to be kept in this tenant. Throws INVALID by field (`config.mapping.fields.startDate.dateFormat`)
 * where it cannot be one, names a part or a site that is not known here, and MAPPING_INCOMPLETE.
 */
export const readConfigFile = async (db: Db | Tx, tenantId: string, file: ConfigFile): Promise<Omit<ConnectorConfig, 'mappingVersion'>> => {
  const { mappingVersion: _, ...given } = file.config
  const fields: Record<string, string[]> = {}
  for (const part of Object.keys(given)) if (!(part in ConnectorConfig.shape)) fields[`config.${part}`] = ['This part is not known here.']
  const { config, wrong } = await resolveNames(db, tenantId, { ...file, config: given })
  const read = ConnectorConfig.safeParse(config)
  for (const { path, message } of read.error?.issues ?? []) {
    const name = ['config', ...path].join('.')
    fields[name] = [...(fields[name] ?? []), message]
  }
  Object.assign(fields, wrong)
  if (!read.data || Object.keys(fields).length > 0) throw problem('INVALID', { fields })
  if (read.data.mapping) assertComplete(read.data.mapping)
  return read.data
}
