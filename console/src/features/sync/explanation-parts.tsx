import type { ExplainedField, Explanation } from '@instep/contract/explain.ts'
import { Diff } from '@instep/ui/diff.tsx'
import { Section } from '@instep/ui/section.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { TargetStateMark } from '../../shared/target-state-mark.tsx'
import styles from './explain.module.css'
import { FieldTraces } from './field-traces.tsx'
import { useChanges } from './use-changes.ts'
import { useRunWords } from './use-run-words.ts'

interface ExplanationPartsProps {
  told: Explanation
  /** Shown last, in place of where the accounts stand. */
  answers?: ReactNode
}

/** An explanation from the record as it came to what each target answered, in the order in which a run decides. */
export function ExplanationParts({ told, answers }: ExplanationPartsProps) {
  const { t } = useTranslation('explain')
  return (
    <div className={styles.parts}>
      <DecisionPart told={told} />
      <RecordPart told={told} />
      <Section title={t('scope.title')} ruled>
        <p className={styles.said}>{t(`scope.${told.scope.state}`)}</p>
        <Judged fields={told.scope.fields} />
      </Section>
      <Section title={t('match.title')} ruled>
        <p className={styles.said}>
          {t(`match.${told.match.state}`, { key: told.record.key ?? '–' })}{' '}
          {told.match.person && (
            <AppLink href={paths.people({ userId: told.match.person.id, connectorId: told.match.person.connectorId })}>
              <bdi>
                {told.match.person.displayName} ({told.match.person.employeeId})
              </bdi>
            </AppLink>
          )}
        </p>
      </Section>
      {told.fields.length > 0 && (
        <Section title={t('fields.title')} hint={t('fields.hint')} ruled>
          <FieldTraces fields={told.fields as readonly ExplainedField[]} person={told.match.person !== null} />
        </Section>
      )}
      <PlacementPart told={told} />
      {answers ?? <TargetsPart targets={told.targets} person={told.match.person !== null} />}
    </div>
  )
}

function PlacementPart({ told: { placement, keptUntil } }: { told: Explanation }) {
  const { t } = useTranslation('explain')
  const { date } = useFormat()
  if (!placement && !keptUntil) return null
  const site = placement?.site?.name ?? t('placement.nowhere')
  return (
    <Section title={t('placement.title')} ruled>
      <ul className={styles.said}>
        {placement && (
          <li>
            {placement.rules === 0
              ? t('placement.byLocation', { site })
              : placement.rule === null
                ? t('placement.noRule')
                : t('placement.byRule', { rule: placement.rule, site })}
          </li>
        )}
        {placement && placement.now?.id !== placement.site?.id && (
          <li>{t('placement.elsewhere', { site: placement.now?.name ?? t('placement.nowhere') })}</li>
        )}
        {keptUntil && <li>{t('placement.keptUntil', { date: date(keptUntil.slice(0, 10)) })}</li>}
      </ul>
    </Section>
  )
}

function DecisionPart({ told: { decision, run } }: { told: Explanation }) {
  const { t } = useTranslation(['explain', 'sync'])
  const { instant } = useFormat()
  const { reasons, held } = useRunWords()
  const changes = useChanges()(decision)
  const sentences = reasons(decision)
  return (
    <Section title={t(run ? 'decision.title' : 'decision.would')}>
      <ul className={styles.said}>
        <li>
          <strong>{decision.kind === 'nothing' ? t('decision.nothing') : t(`sync:decided.${decision.kind}`)}</strong>
          {decision.state && ` ${t(`decision.states.${decision.state}`)}`}
        </li>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {run && (
          <li>
            {t(run.configVersion === null ? 'decision.undo' : 'decision.run', {
              file: run.fileName ?? '–',
              by: run.createdBy,
              time: instant(run.createdAt),
              version: run.configVersion,
            })}
          </li>
        )}
        {run?.held && <li>{held(run.held)}</li>}
        {run?.decidedBy && (
          <li>
            {t('sync:run.decided', { by: run.decidedBy })}
            {run.decisionReason && ` ${t('sync:run.reasonGiven', { reason: run.decisionReason })}`}
          </li>
        )}
      </ul>
      {changes.length > 0 && <Diff changes={changes} />}
    </Section>
  )
}

function RecordPart({ told: { record } }: { told: Explanation }) {
  const { t } = useTranslation('explain')
  return (
    <Section title={t('record.title')} ruled>
      <p className={styles.said}>
        {t(`record.${record.state}`)}
        {record.rowNumber !== null && ` ${t('record.row', { row: record.rowNumber })}`}
        {record.sameKey > 1 && ` ${t('record.sameKey', { count: record.sameKey })}`}
      </p>
      {record.cells.length > 0 && (
        <details className={styles.cells}>
          <summary>{t('record.cells', { count: record.cells.length })}</summary>
          <dl>
            {record.cells.map(({ column, text }) => (
              <div key={column}>
                <dt>
                  <bdi>{column}</bdi>
                </dt>
                <dd>{text === '' ? <span className={styles.nothing}>{t('empty')}</span> : <bdi>{text}</bdi>}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Section>
  )
}

function Judged({ fields }: Pick<Explanation['scope'], 'fields'>) {
  const { t } = useTranslation(['explain', 'people'])
  if (fields.length === 0) return null
  return (
    <dl className={styles.judged}>
      {fields.map(({ field, value }) => (
        <div key={field}>
          <dt>{t(`people:fields.${field}`, { defaultValue: field })}</dt>
          <dd>{value === null ? <span className={styles.nothing}>{t('empty')}</span> : <bdi>{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  )
}

function TargetsPart({ targets, person }: { targets: Explanation['targets']; person: boolean }) {
  const { t } = useTranslation('explain')
  const { instant } = useFormat()
  return (
    <Section title={t('targets.title')} ruled>
      {targets.length === 0 ? (
        <p className={styles.said}>{t(person ? 'targets.none' : 'targets.nobody')}</p>
      ) : (
        <ul className={styles.said}>
          {targets.map((target) => (
            <li key={target.targetId} className={styles.target}>
              <strong>{target.targetName}</strong>
              <TargetStateMark target={target} />
              {target.appliedAt && <bdi className="figures">{instant(target.appliedAt)}</bdi>}
              {target.lastError && <span>{target.lastError}</span>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
