import { SelectField, type SelectOption } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OverrideNote } from './override-note.tsx'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'
import type { TextUnit, Unit } from './user-form.units.ts'

/** What every input of the form has: its label, what is wrong with it, and what is said below it. */
export const useInput = (unit: Unit) => {
  const { t } = useTranslation('profile')
  const editor = useEditor()
  const { form, before, words } = editor
  const editable = editor.isEditable(unit)
  const overridden = editor.isOverridden(unit)
  const note: ReactNode = overridden ? (
    <OverrideNote unit={unit} />
  ) : editable || !before ? undefined : (
    t('form.comesFrom', { connector: before.connectorName })
  )
  return {
    editor,
    editable,
    field: {
      label: words.labelOf(unit, form),
      required: editor.required.has(unit),
      error: editor.problemAt(unit),
      overridden,
      note,
    },
    leave: () => editor.leave(unit),
  }
}

interface TextInputProps {
  unit: TextUnit | `claim.${string}`
  hint?: string | undefined
  placeholder?: string | undefined
  type?: 'text' | 'email' | 'tel' | undefined
  numeric?: boolean | undefined
  wide?: boolean | undefined
}

/** A text of the form. */
export function TextInput({ unit, hint, placeholder, type = 'text', numeric, wide = false }: TextInputProps) {
  const { editor, editable, field, leave } = useInput(unit)
  const value = unit.startsWith('claim.') ? (editor.form.claimFields[unit.slice('claim.'.length)] ?? '') : editor.form[unit as TextUnit]
  return (
    <div className={wide ? styles.wide : undefined}>
      <TextField
        {...field}
        type={type}
        inputMode={numeric ? 'decimal' : undefined}
        hint={hint}
        placeholder={placeholder}
        readOnly={!editable}
        value={value}
        onChange={(text) => editor.set(unit, text)}
        onBlur={leave}
      />
    </div>
  )
}

interface ChoiceInputProps {
  unit: Unit
  value: string
  options: readonly SelectOption[]
  /** Names the choice where the unit holds more than it. */
  label?: string | undefined
  hint?: string | undefined
  onChange: (value: string) => void
}

/** A choice of a few; what cannot be changed is shown as a text. */
export function ChoiceInput({ unit, value, options, label, hint, onChange }: ChoiceInputProps) {
  const { editable, field, leave } = useInput(unit)
  const named = label === undefined ? field : { label }
  if (!editable) {
    const shown = options.find((option) => option.value === value)?.label ?? value
    return <TextField {...field} {...named} hint={hint} readOnly value={shown} onChange={() => undefined} />
  }
  return <SelectField {...named} hint={hint} value={value} options={options} onChange={onChange} onBlur={leave} />
}
