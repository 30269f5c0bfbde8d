import type { OtherRun } from '@instep/contract/run-state.ts'
import type { Run } from '@instep/contract/sync.ts'
import { undoRun } from '@instep/contract/undo.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGo } from '../../shared/use-go.ts'

/** Plans how the run is taken back, and shows that plan. Nothing changes by it. */
export function UndoButton({ run }: { run: Run }) {
  const { t } = useTranslation('sync')
  const { tenantId } = useScope()
  const go = useGo()
  const problemText = useProblemText()
  const undo = useAction(undoRun, {
    onSuccess: ({ id }) => go(paths.run(id)),
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  return (
    <Button icon={IconArrowBackUp} busy={undo.isPending} onClick={() => undo.mutate({ params: { tenantId, runId: run.id } })}>
      {t('undo.action')}
    </Button>
  )
}

/** What a run takes back or is taken back by, what the source will say to it, and which run plans again what another left alone. */
export function OtherRuns({ run }: { run: Run }) {
  const { t } = useTranslation('sync')
  const { undoes, undoneBy, follows, followedBy } = run
  const waits = run.state === 'planned' || run.state === 'held'
  return (
    <>
      {undoes && (
        <Banner tone={waits ? 'warn' : 'plain'} boxed>
          <OtherSentence run={undoes} word="undo.takesBack" />
          {waits && <div>{t('undo.source')}</div>}
          <OtherLink run={undoes} />
        </Banner>
      )}
      {undoneBy && (
        <Banner tone="plain" boxed>
          <OtherSentence run={undoneBy} word={isOpen(undoneBy) ? 'undo.beingUndone' : 'undo.undone'} />
          <OtherLink run={undoneBy} />
        </Banner>
      )}
      {follows && (
        <Banner tone="plain" boxed>
          <OtherSentence run={follows} word="rest.follows" />
          <OtherLink run={follows} />
        </Banner>
      )}
      {followedBy && (
        <Banner tone={isOpen(followedBy) ? 'warn' : 'plain'} boxed>
          <OtherSentence run={followedBy} word={isOpen(followedBy) ? 'rest.open' : 'rest.over'} />
          <OtherLink run={followedBy} />
        </Banner>
      )}
    </>
  )
}

const isOpen = ({ state }: OtherRun): boolean => ['queued', 'running', 'planned', 'held'].includes(state)

type Word = `undo.${'takesBack' | 'beingUndone' | 'undone'}` | `rest.${'follows' | 'open' | 'over'}`

function OtherSentence({ run, word }: { run: OtherRun; word: Word }) {
  const { t } = useTranslation('sync')
  const { instant } = useFormat()
  return <div>{t(word, { file: run.fileName ?? '–', time: instant(run.createdAt) })}</div>
}

function OtherLink({ run }: { run: OtherRun }) {
  const { t } = useTranslation('sync')
  return (
    <div>
      <AppLink href={paths.run(run.id)}>{t('undo.open')}</AppLink>
    </div>
  )
}
