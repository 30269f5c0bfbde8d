import type { Condition } from '@instep/contract/conditions.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconFilter } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ConditionBuilder } from '../../shared/conditions/condition-builder.tsx'
import { conditionOf, type DraftGroup, draftOf, flawsOf } from '../../shared/conditions/condition-draft.rules.ts'
import { describeCondition } from '../../shared/conditions/describe-condition.ts'
import { Sentence } from '../../shared/conditions/sentence.tsx'
import { useSentenceWords } from '../../shared/conditions/use-sentence-words.ts'
import { FrameFooter } from '../../shared/drawer-frame.tsx'
import { DrawerMark } from '../../shared/drawer-mark.tsx'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useSettled } from '../../shared/use-settled.ts'
import styles from './filter-drawer.module.css'
import { filterOf, type PeopleList, shownCount } from './people-list.rules.ts'
import type { ChangeList } from './use-people-list.ts'

interface FilterDrawerProps {
  list: PeopleList
  onChange: ChangeList
  onClose: () => void
}

const NO_FLAWS: ReturnType<typeof flawsOf> = new Map()

/** Puts together the conditions that narrow the list: in words first, then part by part, with how many people match. Mount it to open it. */
export function FilterDrawer({ list, onChange, onClose }: FilterDrawerProps) {
  // the words of calendars too, so that a date does not make the drawer wait
  const { t } = useTranslation(['people', 'common', 'conditions', 'profile'])
  const [draft, setDraft] = useState<DraftGroup>(() => draftOf(list.filters))
  // how often it was asked for while something was missing
  const [refused, setRefused] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnProblem(form, refused)
  const asked = refused > 0
  const flaws = flawsOf(draft)
  const complete = flaws.size === 0
  const apply = () => {
    if (!complete) return setRefused(refused + 1)
    onChange({ filters: conditionOf(draft) })
    onClose()
  }
  return (
    <FramedDrawer opened onClose={onClose} title={t('people:conditions.title')} mark={<DrawerMark icon={IconFilter} />}>
      <form
        ref={form}
        className={styles.body}
        aria-label={t('people:conditions.title')}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <DraftSentence draft={complete ? draft : null} />
        <ConditionBuilder draft={draft} flaws={asked ? flaws : NO_FLAWS} onChange={setDraft} />
        <button type="submit" hidden />
      </form>
      <FrameFooter>
        <span className={styles.status} role="status">
          {asked && !complete ? (
            <span className={styles.flaw}>{t('conditions:incomplete')}</span>
          ) : (
            <Matches list={list} draft={complete ? draft : null} />
          )}
        </span>
        {list.filters && (
          <Button
            size="form"
            variant="quiet"
            onClick={() => {
              onChange({ filters: null })
              onClose()
            }}
          >
            {t('people:conditions.clear')}
          </Button>
        )}
        <FormButtons label={t('people:conditions.apply')} onCancel={onClose} onSubmit={apply} />
      </FrameFooter>
    </FramedDrawer>
  )
}

/** What is put together, as a sentence. */
function DraftSentence({ draft }: { draft: DraftGroup | null }) {
  const { t } = useTranslation('conditions')
  const words = useSentenceWords()
  return (
    <p className={styles.sentence}>
      {draft ? (
        <bdi>
          {t('people')} <Sentence parts={describeCondition(conditionOf(draft), words)} />.
        </bdi>
      ) : (
        <span className={styles.faint}>{t('putTogether')}</span>
      )}
    </p>
  )
}

const PAUSE = 300

/** How many people match what is put together, within what else narrows the list. */
function Matches({ list, draft }: { list: PeopleList; draft: DraftGroup | null }) {
  const { t } = useTranslation('people')
  const { tenantId, siteId } = useScope()
  const { number } = useFormat()
  const text = useSettled(draft ? JSON.stringify(conditionOf(draft)) : '', PAUSE)
  const filters = text === '' ? null : (JSON.parse(text) as Condition)
  const { data, isFetching } = useEndpoint(
    searchUsers,
    { params: { connectorId: tenantId }, body: { ...filterOf(list, siteId), filters, pageSize: 1 } },
    { enabled: filters !== null },
  )
  if (!draft || !data || isFetching) return null
  const value = shownCount(data.count)
  return t(data.count.exact ? 'conditions.matches' : 'conditions.matchesAbout', { count: value, amount: number(value) })
}
