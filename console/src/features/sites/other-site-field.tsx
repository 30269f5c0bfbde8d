import { SearchList } from '@instep/ui/search-list.tsx'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fold } from '../../shared/fold.ts'
import { useGroupedSites } from '../../shared/use-grouped-sites.ts'
import styles from './sites.module.css'

interface OtherSiteFieldProps {
  /** The site that closes. */
  leaving: string
  siteId: string | null
  onChange: (siteId: string) => void
  error?: string | undefined
}

/** Another active site, found by a part of its name or its group's. */
export function OtherSiteField({ leaving, siteId, onChange, error }: OtherSiteFieldProps) {
  const { t } = useTranslation('sites')
  const sites = useGroupedSites()
  const errorId = useId()
  const [search, setSearch] = useState('')
  const words = fold(search.trim())
  const options = sites
    .filter(({ id, active }) => active && id !== leaving)
    .map(({ id, name, group }) => ({ key: id, label: name, group }))
    .filter(({ label, group }) => fold(`${label} ${group}`).includes(words))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would name the list twice
    <div role="group" aria-label={t('closing.site')} aria-describedby={error ? errorId : undefined} className={styles.others}>
      <div className={`${styles.choice} ${error ? styles.wrong : ''}`}>
        <SearchList
          label={t('closing.site')}
          placeholder={t('closing.find')}
          options={options}
          search={search}
          onSearch={setSearch}
          onPick={({ key }) => onChange(key)}
          picked={siteId}
          empty={t('closing.noSite')}
          takesFocus={false}
        />
      </div>
      {error && (
        <span id={errorId} role="alert" className={styles.error}>
          {error}
        </span>
      )}
    </div>
  )
}
