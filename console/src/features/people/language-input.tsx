import { useMemo } from 'react'
import { LOCALES } from '../../i18n/locales.gen.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { languageName } from '../../shared/language-name.ts'
import { ChoiceInput } from './form-inputs.tsx'
import { useEditor } from './use-person-editor.ts'

interface LanguageInputProps {
  unit: 'preferredLanguage' | 'locale'
  /** Whether a choice can be taken back. */
  optional?: boolean | undefined
}

/** A language of those that the product knows, or the one that the person has. */
export function LanguageInput({ unit, optional = false }: LanguageInputProps) {
  const editor = useEditor()
  const { locale } = useFormat()
  const value = editor.form[unit]
  const options = useMemo(() => {
    const known = LOCALES.map((one) => one.value)
    const tags = value === '' || known.includes(value) ? known : [...known, value]
    return tags
      .map((tag) => ({ value: tag, label: languageName(tag, locale) }))
      .toSorted((one, other) => one.label.localeCompare(other.label, locale))
  }, [value, locale])
  const none = optional || value === '' ? [{ value: '', label: '' }] : []
  return <ChoiceInput unit={unit} value={value} options={[...none, ...options]} onChange={(tag) => editor.set(unit, tag)} />
}
