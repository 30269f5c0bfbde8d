import type { SourceFile } from '@instep/contract/sync.ts'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import styles from './sync.module.css'

/** The first rows of the file as they are read, so that wrong characters or separators show. */
export function SamplePreview({ file }: { file: SourceFile }) {
  const { t } = useTranslation('sync')
  if (file.sampleRows.length === 0) return <p className={styles.lead}>{t('mapping.noRows')}</p>
  return (
    <Section title={t('mapping.preview')} hint={t('mapping.previewHint')} ruled>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.preview} aria-label={file.name} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {file.columns.map(({ name }) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {file.sampleRows.slice(0, 5).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other identity and never move
              <tr key={index}>
                {file.columns.map(({ name }, place) => (
                  <td key={name}>
                    <bdi>{row[place]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  )
}
