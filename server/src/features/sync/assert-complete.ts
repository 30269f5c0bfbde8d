import words from '@instep/contract/locales/en_GB/plan.json' with { type: 'json' }
import { type MappingGap, mappingGaps } from '@instep/contract/mapped-field.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { problem } from '../../platform/http/problem.ts'

const NEEDED = { column: 'columnNeeded', dateFormat: 'dateFormatNeeded', text: 'textNeeded' } as const satisfies Record<MappingGap, string>

/** Refuses a mapping that lacks something, whatever the file: MAPPING_INCOMPLETE by field. */
export const assertComplete = (mapping: Mapping): void => {
  const gaps = mappingGaps(mapping)
  if (gaps.length === 0) return
  throw problem('MAPPING_INCOMPLETE', {
    fields: Object.fromEntries(gaps.map(({ field, gap }) => [field, [words[NEEDED[gap]]]])),
  })
}
