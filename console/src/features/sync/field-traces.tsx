import type { ExplainedField } from '@instep/contract/explain.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './explain.module.css'
import { useDetail } from './use-detail.ts'
import { useShownValue } from './use-shown-value.ts'

/** Every mapped field: the cells it is made of, each step, what it became, and what the directory holds now. */
export function FieldTraces({ fields, person }: { fields: readonly ExplainedField[]; person: boolean }) {
  const { t } = useTranslation(['explain', 'people'])
  return (
    <div className={styles.tableFrame}>
      <table className={styles.traces}>
        <thead>
          <tr>
            <th scope="col">{t('fields.field')}</th>
            <th scope="col">{t('fields.source')}</th>
            <th scope="col">{t('fields.steps')}</th>
            <th scope="col">{t('fields.becomes')}</th>
            {person && <th scope="col">{t('fields.directory')}</th>}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.field}>
              <th scope="row">{t(`people:fields.${field.field}`, { defaultValue: field.field })}</th>
              <td>
                <Source cells={field.cells} />
              </td>
              <td>
                <Steps steps={field.steps} />
              </td>
              <td>
                <Becomes field={field} />
              </td>
              {person && (
                <td>
                  <Directory field={field} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Source({ cells }: Pick<ExplainedField, 'cells'>) {
  const { t } = useTranslation('explain')
  if (cells.length === 0) return <Nothing words={t('fields.noCell')} />
  return (
    <ul>
      {cells.map(({ column, text }) => (
        <li key={column}>
          <span className={styles.column}>
            <bdi>{column}</bdi>
          </span>{' '}
          {text === null ? <Nothing words={t('fields.noColumn')} /> : text === '' ? <Nothing words={t('empty')} /> : <bdi>{text}</bdi>}
        </li>
      ))}
    </ul>
  )
}

function Steps({ steps }: Pick<ExplainedField, 'steps'>) {
  const { t } = useTranslation(['explain', 'transform'])
  if (steps.length === 0) return <Nothing words={t('fields.asItIs')} />
  return (
    <ol>
      {steps.map(({ kind, text, wrong }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a chain have no other identity and never move
        <li key={place}>
          {t(`transform:kinds.${kind}`, { defaultValue: kind })}:{' '}
          {wrong ? <Nothing words={t(`fields.wrong`)} /> : text === '' ? <Nothing words={t('empty')} /> : <bdi>{text}</bdi>}
        </li>
      ))}
    </ol>
  )
}

function Becomes({ field: { outcome, value, wrong, detail, because, cells, field } }: { field: ExplainedField }) {
  const { t } = useTranslation(['explain', 'plan', 'people'])
  const shown = useShownValue()
  const words = useDetail()
  if (outcome === 'value') return <bdi>{shown(value)}</bdi>
  if (outcome !== 'wrong') return <Nothing words={t(`fields.outcomes.${outcome}`)} />
  return (
    <span className={styles.refused}>
      {t(`plan:${wrong ?? ''}`, {
        field: t(`people:fields.${field}`),
        value: cells[0]?.text ?? '',
        detail: words({ detail, because }),
        defaultValue: wrong ?? '',
      })}
    </span>
  )
}

function Directory({ field: { effective, base, override } }: { field: ExplainedField }) {
  const { t } = useTranslation('explain')
  const { instant } = useFormat()
  const shown = useShownValue()
  const now = shown(effective) === null ? <Nothing words={t('empty')} /> : <bdi>{shown(effective)}</bdi>
  if (!override) return now
  return (
    <>
      <span className={styles.overridden}>{now}</span>
      <small>
        {t('fields.override', { by: override.by, time: instant(override.at), base: shown(base) ?? t('empty') })}
        {override.reason && ` ${t('fields.reason', { reason: override.reason })}`}
      </small>
    </>
  )
}

function Nothing({ words }: { words: string }) {
  return <span className={styles.nothing}>{words}</span>
}
