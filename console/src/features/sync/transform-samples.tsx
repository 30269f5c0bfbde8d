import type { FieldMapping } from '@instep/contract/sync.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import styles from './transform.module.css'
import { type Sample, type SampleResult, sampleResults } from './transform.rules.ts'
import { useDetail } from './use-detail.ts'

interface TransformSamplesProps {
  field: UserFieldName
  from: FieldMapping
  sample: Sample
}

const isRefused = ({ kind }: SampleResult): boolean => kind === 'wrong' || kind === 'required'

/** The first records of the file: what they hold, and what the field becomes. */
export function TransformSamples({ field, from, sample }: TransformSamplesProps) {
  const { t } = useTranslation('transform')
  const rows = sampleResults(field, from, sample)
  const refused = rows.filter(({ result }) => isRefused(result)).length
  return (
    <Section title={t('samples.title')} ruled>
      <p role="status" className={styles.count}>
        {rows.length === 0
          ? t('samples.none')
          : refused > 0
            ? t('samples.refused', { count: refused, total: rows.length })
            : t('samples.fine')}
      </p>
      {rows.length > 0 && (
        <table className={styles.samples}>
          <thead>
            <tr>
              <th scope="col">{t('samples.before')}</th>
              <th scope="col">{t('samples.after')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ before, result }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other identity and never move
              <tr key={place}>
                <td>
                  <bdi>{before.join(' · ')}</bdi>
                </td>
                <td className={isRefused(result) ? styles.refused : undefined}>
                  <Result field={field} result={result} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

function Result({ field, result }: { field: UserFieldName; result: SampleResult }) {
  const { t } = useTranslation(['transform', 'plan', 'people'])
  const detail = useDetail()
  const name = t(`people:fields.${field}`)
  if (result.kind === 'value') return <bdi>{result.value}</bdi>
  if (result.kind === 'wrong')
    return t(`plan:${result.code}`, { field: name, value: result.text, detail: detail(result.reason), defaultValue: result.code })
  if (result.kind === 'required') return t('plan:required', { field: name })
  return <span className={styles.nothing}>{t(`samples.${result.kind}`)}</span>
}
