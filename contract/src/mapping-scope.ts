/** Who of a source is in scope: a condition over the fields that its mapping fills. */
import { Condition } from './conditions.ts'
import { fieldsOf } from './holds-for.ts'
import { USER_FIELDS } from './user-fields.ts'

/** Fields of the directory alone (claim state, site, moments) are refused: a record says nothing of them. */
export const MappingScope = Condition.refine((condition) => fieldsOf(condition).every((field) => Object.hasOwn(USER_FIELDS, field)))
