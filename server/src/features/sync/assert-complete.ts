import type { FieldCode, FieldMessage } from '@instep/contract/field-message.ts'
import { expressionFault, type MappingGap, mappingGaps } from '@instep/contract/mapped-field.ts'
import type { FieldMapping, Mapping } from '@instep/contract/sync.ts'
import { problem } from '../../platform/http/problem.ts'

const NEEDED = { column: 'columnNeeded', dateFormat: 'dateFormatNeeded', text: 'textNeeded' } as const satisfies Record<
  Exclude<MappingGap, 'expression'>,
  FieldCode
>

/** What is wrong with a field's expression and at which character, from 1. */
const faultMessage = (from: FieldMapping | undefined): FieldMessage => {
  const { position, detail } = (from && expressionFault(from)) ?? { position: 0, detail: '' }
  return { code: 'expressionNeeded', params: { position: Math.max(1, position), detail } }
}

/** Refuses a mapping that lacks something, whatever the file: MAPPING_INCOMPLETE by field. */
export const assertComplete = (mapping: Mapping): void => {
  const gaps = mappingGaps(mapping)
  if (gaps.length === 0) return
  throw problem('MAPPING_INCOMPLETE', {
    fields: Object.fromEntries(
      gaps.map(({ field, gap }) => [field, [gap === 'expression' ? faultMessage(mapping.fields[field]) : NEEDED[gap]]]),
    ),
  })
}
