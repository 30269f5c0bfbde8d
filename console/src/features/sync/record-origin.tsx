import type { SourceRecord, SyncedRecord } from '@instep/contract/source-record.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import styles from './explain.module.css'

const TONES = {
  applied: 'ok',
  held: 'warn',
  underWay: 'warn',
  otherRun: 'warn',
  failed: 'danger',
  refused: 'warn',
} as const

/** Where the record of a sync by hand comes from and when, why the source was not asked, and what became of what is new in it. */
export function RecordOrigin({ record }: { record: SourceRecord & Partial<Pick<SyncedRecord, 'brought'>> }) {
  const { t, i18n } = useTranslation(['targets', 'problems'])
  const { instant } = useFormat()
  const { from, at, cause, key, told, brought } = record
  const why =
    cause && (i18n.exists(`problems:${cause.code}`) ? t(`problems:${cause.code}`, cause.params) : t(`source.notAsked.${cause.code}`))
  const differs = told !== null && from !== 'run' && !['nothing', 'unchanged'].includes(told.decision.kind)
  return (
    <div className={`${styles.parts} ${styles.origin}`}>
      {why && (
        <p className={styles.said}>
          {t('source.unasked')} {why}
        </p>
      )}
      <p className={styles.said}>
        {told
          ? t(`source.from.${from}`, { time: at ? instant(at) : '', by: told.run?.createdBy ?? '' })
          : t(`source.nothing.${from}`, { time: at ? instant(at) : '', key })}{' '}
        {told?.run && <AppLink href={paths.run(told.run.id)}>{t('source.toRun')}</AppLink>}
      </p>
      {brought ? (
        <Banner tone={TONES[brought.outcome]} boxed>
          {t(`source.brought.${brought.outcome}`)} {brought.runId && <AppLink href={paths.run(brought.runId)}>{t('source.toRun')}</AppLink>}
        </Banner>
      ) : (
        differs && <p className={styles.said}>{t('source.differs')}</p>
      )}
    </div>
  )
}
