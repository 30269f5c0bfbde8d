import { answerCase, type CaseCandidate, type MatchCaseDetail } from '@instep/contract/match-cases.ts'
import { Button } from '@instep/ui/button.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { IconEqual, IconEqualNot } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './cases.module.css'
import { compareCase, type Likeness } from './compare-case.rules.ts'
import type { Answering } from './use-answer.ts'
import { useCaseWords } from './use-case-words.ts'

interface CaseComparisonProps {
  found: MatchCaseDetail
  answering: Answering
}

/** The record beside the people it may be, field by field; what agrees and what differs is marked, in shape as well as in colour. */
export function CaseComparison({ found, answering }: CaseComparisonProps) {
  const { t } = useTranslation('cases')
  const words = useCaseWords()
  const value = (field: string, text: string | null) => <bdi>{text ? words.shown(field, text) : '–'}</bdi>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} aria-label={t('sideBySide')} tabIndex={0}>
      <table className={styles.comparison}>
        <caption className="visually-hidden">{t('sideBySide')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            <th scope="col">
              <strong>{t('record')}</strong>
              <span className={styles.second}>
                <bdi>{found.sourceKey}</bdi>
              </span>
            </th>
            {found.people.map((person) => (
              <th scope="col" key={person.userId}>
                <CandidateHead found={found} person={person} answering={answering} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {compareCase(found).map(({ field, value: own, people }) => (
            <tr key={field}>
              <th scope="row">{words.labelOf(field)}</th>
              <td>{value(field, own)}</td>
              {people.map((person) => (
                <td key={person.userId} data-likeness={person.likeness}>
                  <Mark likeness={person.likeness} /> {value(field, person.value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {found.people.length === 0 && <p className={styles.muted}>{t('nobodyLeft')}</p>}
    </section>
  )
}

function Mark({ likeness }: { likeness: Likeness }) {
  const { t } = useTranslation('cases')
  if (likeness === 'unknown') return null
  return (
    <span className={styles.mark} role="img" aria-label={t(likeness)}>
      <Icon of={likeness === 'same' ? IconEqual : IconEqualNot} size={13} />
    </span>
  )
}

function CandidateHead({ found, person, answering }: CaseComparisonProps & { person: CaseCandidate }) {
  const { t } = useTranslation(['cases', 'problems'])
  const { date } = useFormat()
  const words = useCaseWords()
  const { params, answer, busy } = answering
  const refusal = useRefusal().ofCall(answerCase) ?? (person.linkRefusal && t(`problems:${person.linkRefusal}`))
  const status = person.active
    ? t('active')
    : person.inactiveSince
      ? t('inactiveSince', { date: date(person.inactiveSince.slice(0, 10)) })
      : t('inactive')
  return (
    <div className={styles.candidate}>
      <AppLink href={paths.people({ userId: person.userId, connectorId: person.connectorId })}>{person.displayName}</AppLink>
      <span className={styles.second}>{[person.connectorName, person.siteName].filter(Boolean).join(' · ')}</span>
      <span className={styles.second} data-inactive={!person.active || undefined}>
        {status}
      </span>
      <span className={styles.second}>{t('foundByWhat', { what: words.foundBy(person.foundBy) })}</span>
      {found.state === 'open' && (
        <Button
          variant="primary"
          busy={busy}
          disabledReason={refusal}
          aria-label={t('linkTo', { name: person.displayName })}
          onClick={() => answer.mutate({ params, body: { decision: 'link', userId: person.userId } })}
        >
          {t('link')}
        </Button>
      )}
    </div>
  )
}
