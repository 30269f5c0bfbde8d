import { listLookups, type ReferenceKind } from '@instep/contract/lookups.ts'
import { ComboField, type ComboOption } from '@instep/ui/combo-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { fold } from '../../shared/fold.ts'
import { useScope } from '../../shared/scope.tsx'
import { useSettled } from '../../shared/use-settled.ts'
import { useInput } from './form-inputs.tsx'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'
import { useTitleCheck } from './use-title-check.ts'
import type { TextUnit } from './user-form.units.ts'

const SUGGESTIONS = 50
const KEPT_FOR = 60_000

interface LookupInputProps {
  unit: TextUnit
  kind: ReferenceKind
  /** Narrows job titles to those that a department uses. */
  department?: string | undefined
  /** Said below; what became of the value. */
  said?: string | undefined
  /** Told a value that was picked, or typed and left. */
  onSettled?: ((value: string) => void) | undefined
}

/** A value that is picked from those in use, or written where it is a new one. */
export function LookupInput({ unit, kind, department, said, onSettled }: LookupInputProps) {
  const { t } = useTranslation(['profile', 'common'])
  const { tenantId } = useScope()
  const { editor, editable, field, leave } = useInput(unit)
  const [search, setSearch] = useState<string | null>(null)
  const value = editor.form[unit]
  const lookups = useEndpoint(
    listLookups,
    {
      params: { connectorId: tenantId },
      query: {
        ReferenceType: kind,
        pageSize: SUGGESTIONS,
        SearchText: useSettled(search ?? '').slice(0, 200),
        Department: department?.slice(0, 250),
      },
    },
    { enabled: search !== null, staleTime: KEPT_FOR, keepOld: true },
  )
  if (!editable) return <TextField {...field} readOnly value={value} onChange={() => undefined} />
  // the answer to what was typed before stays until the next one comes; what does not fit any more is not offered
  const options = lookups.data?.data
    .filter((one) => fold(one.value).includes(fold(search ?? '')))
    .map((one): ComboOption => ({ key: one.id, label: one.value, detail: one.detail }))
  return (
    <ComboField
      {...field}
      note={said ? <Said said={said} note={field.note} /> : field.note}
      value={value}
      options={lookups.error ? [] : options}
      onSearch={setSearch}
      onChange={(text) => editor.set(unit, text)}
      onPick={(option) => {
        editor.set(unit, option.label)
        onSettled?.(option.label)
      }}
      onBlur={() => {
        leave()
        onSettled?.(value)
      }}
      empty={t(lookups.error ? 'common:fetchFieldsFailed' : 'form.newValue')}
      loading={t('common:loading')}
    />
  )
}

/** What became of the value, spoken at once, above what is always said. */
function Said({ said, note }: { said: string; note: ReactNode }) {
  return (
    <>
      <span role="status" className={styles.said}>
        {said}
      </span>
      {note}
    </>
  )
}

/** The department; another one clears a position that it does not use. */
export function DepartmentInput() {
  const { typed, changeTyped } = useEditor()
  const check = useTitleCheck()
  const settle = async (department: string) => changeTyped(await check({ ...typed, form: { ...typed.form, department } }))
  return <LookupInput unit="department" kind="Department" onSettled={(department) => void settle(department)} />
}

/** The position, of those that the department uses; it says so where it was cleared. */
export function TitleInput() {
  const { t } = useTranslation('profile')
  const { editor } = useInput('title')
  const { form, typed } = editor
  const said = typed.clearedFor === null ? undefined : t('form.titleCleared', { department: typed.clearedFor })
  return <LookupInput unit="title" kind="JobTitle" department={form.department.trim() || undefined} said={said} />
}
