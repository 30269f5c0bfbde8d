import { GUARD_KINDS, type GuardKind } from '@instep/contract/guard-settings.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useGroupedSites } from '../../shared/use-grouped-sites.ts'
import styles from './guards.module.css'
import { newSiteLimit, type TypedSite } from './guards.rules.ts'
import { WindowFields } from './limit-fields.tsx'

interface SiteLimitsProps {
  value: readonly TypedSite[]
  /** Two of them are of one site and kind. */
  twins: boolean
  onChange: (value: TypedSite[]) => void
}

/** Limits of single sites, or of each site that has none of its own. */
export function SiteLimits({ value, twins, onChange }: SiteLimitsProps) {
  const { t } = useTranslation('guards')
  const sites = useGroupedSites()
  const siteOptions = [{ value: '', label: t('eachSite') }, ...sites.map(({ id, name, group }) => ({ value: id, label: name, group }))]
  const set = (at: number, change: Partial<TypedSite>) =>
    onChange(value.map((site, index) => (index === at ? { ...site, ...change } : site)))
  return (
    <Section title={t('bySite')} hint={t('bySiteHint')}>
      <div className={styles.checks}>
        {value.map((site, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are neither moved nor known by anything else
          <div key={index} className={styles.site}>
            <div className={styles.numbers}>
              <SelectField label={t('site')} value={site.siteId} options={siteOptions} onChange={(siteId) => set(index, { siteId })} />
              <SelectField
                label={t('columns.kind')}
                value={site.kind}
                options={GUARD_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
                onChange={(kind) => set(index, { kind: kind as GuardKind })}
              />
            </div>
            <WindowFields title={t('limits')} value={{ run: site.run, day: site.day }} onChange={(windows) => set(index, windows)} />
            <Button variant="quiet" onClick={() => onChange(value.filter((_, at) => at !== index))}>
              {t('removeSite')}
            </Button>
          </div>
        ))}
        {twins && (
          <Banner tone="danger" boxed>
            {t('twins')}
          </Banner>
        )}
        <Button icon={IconPlus} onClick={() => onChange([...value, newSiteLimit('deactivate')])}>
          {t('addSite')}
        </Button>
      </div>
    </Section>
  )
}
