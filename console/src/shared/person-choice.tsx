import { searchUsers } from '@instep/contract/users.ts'
import { ComboField } from '@instep/ui/combo-field.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../api/use-endpoint.ts'
import { useSettled } from './use-settled.ts'

const SUGGESTIONS = 10

/** A person as they were found. */
export interface ChosenPerson {
  readonly id: string
  readonly name: string
}

interface PersonChoiceProps {
  label: string
  /** The connector whose people are looked through, or the tenant for those of all its connectors. */
  within: string
  chosen: ChosenPerson | null
  required?: boolean
  /** Why nobody chosen is not enough; shown while nobody is. */
  error?: string | undefined
  onChoose: (chosen: ChosenPerson | null) => void
}

/** Finds a person by name or id. */
export function PersonChoice({ label, within, chosen, required, error, onChoose }: PersonChoiceProps) {
  const { t } = useTranslation(['guards', 'common'])
  const [text, setText] = useState('')
  const [search, setSearch] = useState<string | null>(null)
  const searchText = useSettled(search ?? '').slice(0, 200)
  const people = useEndpoint(
    searchUsers,
    { params: { connectorId: within }, body: { searchText: searchText || null, pageSize: SUGGESTIONS } },
    { enabled: search !== null, keepOld: true },
  )
  return (
    <ComboField
      label={label}
      required={required}
      error={chosen ? undefined : error}
      value={chosen?.name ?? text}
      options={people.data?.data.map((row) => ({
        key: row.id,
        label: row.displayName,
        detail: [row.externalId, row.title].filter(Boolean).join(', '),
      }))}
      onSearch={setSearch}
      onChange={(value) => {
        setText(value)
        onChoose(null)
      }}
      onPick={({ key, label: name }) => onChoose({ id: key, name })}
      empty={t('protected.nobody')}
      loading={t('common:loading')}
    />
  )
}
