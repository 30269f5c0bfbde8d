import type { previewAttributeRules } from '@instep/contract/conformance.ts'
import type { ResponseOf } from '@instep/contract/endpoint.ts'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './scim-target.module.css'

/** What a person's account is now and would be, attribute by attribute. */
export function AttributesPreview({ preview }: { preview: ResponseOf<typeof previewAttributeRules> }) {
  const { t } = useTranslation('scim-target')
  const { person, attributes } = preview
  if (!person) return <p className={styles.muted}>{t('attributes.nobody')}</p>
  return (
    <table className={styles.table} aria-live="polite">
      <caption>
        {t('attributes.of')} <bdi>{person.displayName}</bdi>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('attributes.columns.path')}</th>
          <th scope="col">{t('attributes.columns.before')}</th>
          <th scope="col">{t('attributes.columns.after')}</th>
        </tr>
      </thead>
      <tbody>
        {attributes.map(({ path, before, after }) => (
          <tr key={path} data-changed={before !== after || undefined}>
            <th scope="row">
              <bdi className="mono">{path}</bdi>
              {before !== after && <IconMark icon={IconPencil} label={t('attributes.changed')} tone="accent" />}
            </th>
            <td>
              <bdi>{before ?? t('attributes.absent')}</bdi>
            </td>
            <td>
              <bdi>{after ?? t('attributes.absent')}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
