import { listLookups, type ReferenceKind } from '@instep/contract/lookups.ts'
import { ComboField } from '@instep/ui/combo-field.tsx'
import type { FieldProps } from '@instep/ui/field.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'
import { useSettled } from '../../shared/use-settled.ts'

const SUGGESTIONS = 50
const KEPT_FOR = 60_000

interface LookupFieldProps extends FieldProps {
  kind: ReferenceKind
  value: string
  onChange: (value: string) => void
  /** Told what was picked from the list; `onChange` where it is absent. */
  onPick?: ((value: string) => void) | undefined
}

/** A value that is picked from those of a kind, or written where it is a new one. */
export function LookupField({ kind, value, onChange, onPick = onChange, ...field }: LookupFieldProps) {
  const { t } = useTranslation(['settings', 'common'])
  const { tenantId } = useScope()
  const [search, setSearch] = useState<string | null>(null)
  const SearchText = useSettled(search ?? '').slice(0, 200) || undefined
  const lookups = useEndpoint(
    listLookups,
    { params: { connectorId: tenantId }, query: { ReferenceType: kind, pageSize: SUGGESTIONS, SearchText } },
    { enabled: search !== null, staleTime: KEPT_FOR, keepOld: true },
  )
  const options = lookups.error ? [] : lookups.data?.data.map((one) => ({ key: one.id, label: one.value, detail: one.detail }))
  return (
    <ComboField
      {...field}
      value={value}
      options={options}
      onSearch={setSearch}
      onChange={onChange}
      onPick={(option) => onPick(option.label)}
      empty={t(lookups.error ? 'common:fetchFieldsFailed' : 'lookups.newValue')}
      loading={t('common:loading')}
    />
  )
}
