import { SearchList } from '@instep/ui/search-list.tsx'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLocale } from '../i18n/i18n.ts'
import { LOCALES, type Locale } from '../i18n/locales.gen.ts'
import { fold } from '../shared/fold.ts'
import { useConsole } from './console-store.ts'

interface LanguageListProps {
  onDone: () => void
}

/** Names a language in another; the English name where the browser has none. */
const nameIn = (language: string): ((locale: Locale) => string) => {
  const names = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard', fallback: 'none' })
  return (locale) => {
    const name = names.of(locale.value) ?? locale.label
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  }
}

/** Every language: its name in the current one, and its own name for itself at the inline end. */
export function LanguageList({ onDone }: LanguageListProps) {
  const { t, i18n } = useTranslation('shell')
  const picked = useConsole((state) => state.language)
  const set = useConsole((state) => state.set)
  const [search, setSearch] = useState('')
  const all = useMemo(() => {
    const name = nameIn(i18n.language)
    return LOCALES.map((locale) => ({
      key: locale.key,
      label: name(locale),
      note: { text: locale.endonym, lang: locale.value },
      words: fold(`${name(locale)} ${locale.label} ${locale.endonym} ${locale.key}`),
    })).sort((a, b) => a.label.localeCompare(b.label, i18n.language))
  }, [i18n.language])
  return (
    <SearchList
      label={t('language.title')}
      placeholder={t('language.find')}
      empty={t('language.none')}
      options={all.filter((locale) => locale.words.includes(fold(search)))}
      search={search}
      onSearch={setSearch}
      picked={picked}
      onPick={(option) => {
        set({ language: option.key })
        void changeLocale(option.key)
        onDone()
      }}
    />
  )
}
