import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import styles from './placement.module.css'
import { countsOf, type SampleResult } from './placement.rules.ts'

const MOST_SHOWN = 12

/** What the rules make of some people of the source: who would move first, then the others. */
export function PlacementTrial({ results }: { results: readonly SampleResult[] }) {
  const { t } = useTranslation('placement')
  const { sites = [] } = useScope()
  if (results.length === 0) return <p className={styles.muted}>{t('nobody')}</p>
  const nameOf = (id: string | null) => (id === null ? t('nowhere') : (sites.find((site) => site.id === id)?.name ?? t('siteGone')))
  const moves = ({ now, next }: SampleResult) => now !== next
  // a list of people who all stay where their location says tells nothing
  const telling = results.some((result) => moves(result) || result.rule !== null || result.next === null)
  const shown = [...results].sort((a, b) => Number(moves(b)) - Number(moves(a))).slice(0, MOST_SHOWN)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.sample} aria-label={t('trial')} tabIndex={0}>
      <p className={styles.muted} role="status">
        {t('trialCounts', { count: results.length, moving: results.filter(moves).length, nowhere: countsOf(results).get('none') ?? 0 })}
      </p>
      {telling && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('columns.person')}</th>
              <th scope="col">{t('columns.now')}</th>
              <th scope="col">{t('columns.then')}</th>
              <th scope="col">{t('columns.why')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((result) => (
              <tr key={result.person.id}>
                <td>
                  <bdi>{result.person.displayName}</bdi>
                </td>
                <td>
                  <bdi>{nameOf(result.now)}</bdi>
                </td>
                <td className={result.next === null ? styles.nowhere : moves(result) ? styles.moved : undefined}>
                  <bdi>{nameOf(result.next)}</bdi>
                </td>
                <td className={styles.muted}>
                  {result.rule === null ? t(result.next === null ? 'noRule' : 'byLocation') : t('rule', { number: result.rule })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
