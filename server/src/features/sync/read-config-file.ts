import { CONFIG_FORMAT, type ConfigFile } from '@instep/contract/config-versions.ts'
import { ConnectorConfig } from '@instep/contract/connector-config.ts'
import { ASKING, type FieldMessage, messageOf } from '@instep/contract/field-message.ts'
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
  const fields: Record<string, FieldMessage[]> = {}
  for (const part of Object.keys(given)) if (!(part in ConnectorConfig.shape)) fields[`config.${part}`] = ['configPartUnknown']
  const { config, wrong } = await resolveNames(db, tenantId, { ...file, config: given })
  const read = ConnectorConfig.safeParse(config, ASKING)
  for (const issue of read.error?.issues ?? []) {
    const name = ['config', ...issue.path].join('.')
    fields[name] = [...(fields[name] ?? []), messageOf(issue)]
  }
  Object.assign(fields, wrong)
  if (!read.data || Object.keys(fields).length > 0) throw problem('INVALID', { fields })
  if (read.data.mapping) assertComplete(read.data.mapping)
  return read.data
}
