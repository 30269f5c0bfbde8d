import type { FileDescription } from '@instep/connectors/file/describe-file.ts'
import { suggestMapping } from '@instep/connectors/file/suggest-mapping.ts'
import type { Mapping, SourceFile } from '@instep/contract/sync.ts'
import type { StoredFile } from './files.store.ts'
import { resolveMapping } from './resolve-mapping.ts'

/** An upload with its columns and a mapping: the remembered one where all of its columns are there, else a suggestion. */
export const presentFile = (
  file: Pick<StoredFile, 'id' | 'connectorId' | 'name' | 'size' | 'createdAt'>,
  description: FileDescription,
  remembered: Mapping | null,
): SourceFile => {
  const { format, encoding, delimiter, columns, sampleRows } = description
  const lostColumns = remembered
    ? resolveMapping(
        remembered,
        columns.map(({ name }) => name),
      ).lostColumns
    : []
  const known = remembered && lostColumns.length === 0 ? remembered : null
  return {
    id: file.id,
    connectorId: file.connectorId,
    name: file.name,
    size: file.size,
    format,
    encoding,
    delimiter,
    columns,
    sampleRows,
    // a suggestion never lets in whom the remembered mapping left out
    mapping: known ?? { ...suggestMapping(columns), ...(remembered?.scope ? { scope: remembered.scope } : {}) },
    remembered: known !== null,
    lostColumns: [...lostColumns],
    createdAt: file.createdAt.toISOString(),
  }
}
