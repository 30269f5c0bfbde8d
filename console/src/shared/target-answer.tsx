import type { AccountSync, TargetSync, TracedRequest } from '@instep/contract/user-sync.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Diff } from '@instep/ui/diff.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/use-format.ts'
import { accountValue } from './account-value.ts'
import styles from './target-answer.module.css'
import { useCauseWords } from './use-cause-words.ts'

const MARKS = { preview: 'notRun', done: 'succeeded', kept: 'disabled', failed: 'failed', busy: 'waiting' } as const

/** What one target was asked and replied, or what bringing the account in step would do there. */
export function TargetAnswer({ answer }: { answer: AccountSync & Partial<Pick<TargetSync, 'desired'>> }) {
  const { t } = useTranslation('targets')
  const causeWords = useCauseWords()
  const { result, deed, changes, cause, detail, requests, desired = [] } = answer
  const words = deed && result !== 'failed' ? t(`sync.${result === 'preview' ? 'would' : 'did'}.${deed}`) : ''
  return (
    <section className={styles.answer} aria-label={answer.targetName}>
      <h3 className={styles.target}>
        {answer.targetName}
        <RunMark state={MARKS[result]} word={t(`sync.results.${result}`)} />
      </h3>
      {words && <p className={styles.said}>{words}</p>}
      {(result === 'kept' || (result === 'preview' && cause)) && (
        <p className={styles.said}>
          {t('sync.kept')} {cause && causeWords(cause)}
        </p>
      )}
      {result === 'busy' && <p className={styles.said}>{t('sync.busy')}</p>}
      {result === 'failed' && (
        <Banner tone="danger" boxed>
          <strong>{t('sync.failed')}</strong>
          {cause && <div className={styles.said}>{causeWords(cause)}</div>}
          {detail && <div className={styles.said}>{detail}</div>}
        </Banner>
      )}
      {desired.length > 0 && <Desired desired={desired} />}
      {changes.length > 0 && (
        <Diff
          changes={changes.map(({ attribute, before, after }) => ({
            key: attribute,
            label: attribute,
            before: accountValue(before),
            after: accountValue(after),
          }))}
        />
      )}
      {requests.map((request, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: requests have no other name and never change places
        <Exchange key={place} request={request} />
      ))}
    </section>
  )
}

function Desired({ desired }: Pick<TargetSync, 'desired'>) {
  const { t } = useTranslation('targets')
  return (
    <details className={styles.cells}>
      <summary>{t('sync.desired', { count: desired.length })}</summary>
      <dl className={styles.desired}>
        {desired.map(({ attribute, value }) => (
          <div key={attribute}>
            <dt>
              <bdi>{attribute}</bdi>
            </dt>
            <dd>
              <bdi>{accountValue(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Exchange({ request: { method, path, status, milliseconds, request, reply } }: { request: TracedRequest }) {
  const { t } = useTranslation('targets')
  const { number } = useFormat()
  return (
    <details className={styles.cells}>
      <summary>
        <bdi className="mono">
          {method} {path}
        </bdi>{' '}
        {status === null ? t('sync.noReply') : t('sync.replied', { status, milliseconds: number(milliseconds ?? 0) })}
      </summary>
      <dl>
        {request !== null && <Body name={t('sync.request')} text={request} />}
        {reply !== null && <Body name={t('sync.reply')} text={reply} />}
      </dl>
    </details>
  )
}

function Body({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <pre className={`mono ${styles.exchanged}`} tabIndex={0} dir="ltr">
          {text}
        </pre>
      </dd>
    </div>
  )
}
