import type { ReferenceType } from '@instep/contract/user-form.ts'
import { searchUsers, type UserRow } from '@instep/contract/users.ts'
import { ComboField } from '@instep/ui/combo-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'
import { useSettled } from '../../shared/use-settled.ts'
import { ChoiceInput, useInput } from './form-inputs.tsx'
import { withApproverType, withManagerType } from './user-form.rules.ts'

const SUGGESTIONS = 10

interface ReferenceInputProps {
  unit: 'manager' | 'approver'
}

/** How the person is named, and then who it is. */
export function ReferenceInput({ unit }: ReferenceInputProps) {
  const { t } = useTranslation('profile')
  const { editor } = useInput(unit)
  const type = unit === 'manager' ? editor.form.managerReferenceType : editor.form.approver.referenceType
  const withType = unit === 'manager' ? withManagerType : withApproverType
  return (
    <>
      <ChoiceInput
        unit={unit}
        label={t(`reference.${unit}.type`)}
        value={type ?? 'none'}
        options={(['none', 'email', 'externalId'] as const).map((value) => ({ value, label: t(`reference.${unit}.${value}`) }))}
        onChange={(value) => editor.update((form) => withType(form, value === 'none' ? null : (value as ReferenceType)))}
      />
      {type !== null && <ReferenceValue unit={unit} type={type} />}
    </>
  )
}

const namedBy = (row: UserRow, type: ReferenceType): string | null =>
  type === 'email' ? (row.workEmail ?? row.personalEmail) : row.externalId

/** The other person's address or id, with suggestions by name. */
function ReferenceValue({ unit, type }: ReferenceInputProps & { type: ReferenceType }) {
  const { t } = useTranslation(['profile', 'common'])
  const { tenantId } = useScope()
  const { editor, editable, field, leave } = useInput(unit)
  const [search, setSearch] = useState<string | null>(null)
  const searchText = useSettled(search ?? '').slice(0, 200)
  const people = useEndpoint(
    searchUsers,
    { params: { connectorId: tenantId }, body: { searchText: searchText || null, pageSize: SUGGESTIONS, isActive: true } },
    { enabled: search !== null, keepOld: true },
  )
  const value = unit === 'manager' ? editor.form.manager : editor.form.approver.value
  const label = t(`reference.${unit}.${type}`)
  const set = (text: string) => editor.set(unit, { value: text, referenceType: type })
  if (!editable) return <TextField {...field} label={label} readOnly value={value} onChange={() => undefined} />
  const found = people.error ? [] : people.data?.data
  const options = found?.flatMap((row) => {
    const name = namedBy(row, type)
    return !name ? [] : [{ key: row.id, label: name, detail: [row.displayName, row.title].filter(Boolean).join(', ') }]
  })
  return (
    <ComboField
      {...field}
      label={label}
      value={value}
      options={options}
      onSearch={setSearch}
      onChange={set}
      onPick={(option) => set(option.label)}
      onBlur={leave}
      empty={t('form.nobodyFound')}
      loading={t('common:loading')}
    />
  )
}
