import { ComboField } from '@instep/ui/combo-field.tsx'
import type { FieldProps } from '@instep/ui/field.tsx'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findTimeZones } from './time-zones.ts'

interface TimeZoneFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  placeholder?: string | undefined
}

/** A time zone, found by a part of its name. */
export function TimeZoneField({ value, onChange, ...field }: TimeZoneFieldProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useState<string | null>(null)
  const options = useMemo(() => (search === null ? [] : findTimeZones(search).map((zone) => ({ key: zone, label: zone }))), [search])
  return (
    <ComboField
      {...field}
      value={value}
      options={options}
      onSearch={setSearch}
      onChange={onChange}
      onPick={(option) => onChange(option.label)}
      empty={t('timeZone.none')}
      loading={t('loading')}
    />
  )
}
