import { listLookups } from '@instep/contract/lookups.ts'
import { LONGEST_SEARCH } from '@instep/contract/page.ts'
import type { ComboOption } from '@instep/ui/combo-field.tsx'
import { useState } from 'react'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { fold } from '../fold.ts'
import { useScope } from '../scope.tsx'
import { useSettled } from '../use-settled.ts'
import { lookupKindOf } from './lookup-kinds.rules.ts'
import type { NamedValue } from './use-condition-names.ts'

const SUGGESTIONS = 50
const KEPT_FOR = 60_000

/** Values to pick from while something is typed: of the field's choices, else of the values in use; undefined while they load. */
export const useSuggestions = (field: string, choices: readonly NamedValue[] | undefined) => {
  const { tenantId } = useScope()
  const [search, setSearch] = useState<string | null>(null)
  const kind = lookupKindOf(field)
  const asked = useSettled(search ?? '').slice(0, LONGEST_SEARCH)
  const lookups = useEndpoint(
    listLookups,
    { params: { connectorId: tenantId }, query: { ReferenceType: kind ?? 'Department', pageSize: SUGGESTIONS, SearchText: asked } },
    { enabled: kind !== undefined && search !== null, staleTime: KEPT_FOR, keepOld: true },
  )
  const words = fold(search ?? '')
  const options = (): readonly ComboOption[] | undefined => {
    if (choices) return choices.filter(({ label }) => fold(label).includes(words)).map(({ value, label }) => ({ key: value, label }))
    if (kind === undefined || lookups.error) return []
    return lookups.data?.data.map(({ id, value }) => ({ key: id, label: value }))
  }
  return { options: options(), onSearch: setSearch, suggests: kind !== undefined }
}
