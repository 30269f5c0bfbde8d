import type { UserInput } from '@instep/contract/user-edits.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readClaimFields } from '../settings/public.ts'
import type { AttributeTypes } from './read-edit.rules.ts'

const NONE: AttributeTypes = new Map()

/** What the tenant's own security attributes hold, as far as the body names any. */
export const attributeTypes = async (tx: Tx, tenantId: string, { extension }: UserInput): Promise<AttributeTypes> => {
  if (Object.keys(extension?.claimFields ?? {}).length === 0) return NONE
  const fields = await readClaimFields(tx, tenantId)
  return new Map(fields.flatMap(({ id, type, isDefault }) => (isDefault ? [] : [[id, type] as const])))
}
