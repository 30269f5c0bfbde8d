import type { FieldCode } from '@instep/contract/field-message.ts'
import { type MappingGap, mappingGaps } from '@instep/contract/mapped-field.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { problem } from '../../platform/http/problem.ts'

const NEEDED = { column: 'columnNeeded', dateFormat: 'dateFormatNeeded', text: 'textNeeded' } as const satisfies Record<
  MappingGap,
  FieldCode
>

/** Refuses a mapping that lacks something, whatever the file: MAPPING_INCOMPLETE by field. */
export const assertComplete = (mapping: Mapping): void => {
  const gaps = mappingGaps(mapping)
  if (gaps.length === 0) return
  throw problem('MAPPING_INCOMPLETE', {
    fields: Object.fromEntries(gaps.map(({ field, gap }) => [field, [NEEDED[gap]]])),
  })
}
