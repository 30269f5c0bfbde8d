import type { Override } from '@instep/contract/overrides.ts'
import type { Column } from '@instep/ui/data-table.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './overrides.module.css'
import { useOverrideWords } from './use-override-words.ts'

/** Person, field, value over the source's, who set it when and why, and how long it holds. */
export const useOverrideColumns = (): readonly Column<Override>[] => {
  const { t } = useTranslation('overrides')
  const { date, instant } = useFormat()
  const words = useOverrideWords()
  return useMemo(
    () => [
      {
        key: 'person',
        header: t('columns.person'),
        cell: (row) => (
          <>
            <bdi className={`${styles.name} clamped`}>{row.displayName}</bdi> <bdi className={`${styles.id} figures`}>{row.employeeId}</bdi>
          </>
        ),
        width: '17%',
      },
      { key: 'field', header: t('columns.field'), cell: (row) => words.labelOf(row.field), width: '150px' },
      {
        key: 'value',
        header: t('columns.value'),
        cell: (row) => (
          <span className={styles.value}>
            <bdi className="clamped">{words.valueText(row.field, row.value) ?? t('empty')}</bdi>
          </span>
        ),
        width: '14%',
      },
      {
        key: 'base',
        header: t('columns.base'),
        cell: (row) => <bdi className={`${styles.base} clamped`}>{words.valueText(row.field, row.base) ?? t('empty')}</bdi>,
        width: '13%',
      },
      {
        key: 'by',
        header: t('columns.by'),
        cell: (row) => (
          <>
            <div className={styles.by}>{row.by}</div>
            <bdi className={styles.second}>{instant(row.at)}</bdi>
          </>
        ),
        width: '160px',
      },
      { key: 'reason', header: t('columns.reason'), cell: (row) => <div className={`${styles.reason} clamped`}>{row.reason ?? '–'}</div> },
      {
        key: 'until',
        header: t('columns.until'),
        cell: (row) => <bdi>{row.until ? date(row.until) : '–'}</bdi>,
        width: '110px',
        figures: true,
      },
    ],
    [t, date, instant, words],
  )
}
