import { bulkMove, getUnassigned, type MOVE_REFUSALS } from '@instep/contract/bulk-move.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { type ListOption, SearchList } from '@instep/ui/search-list.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { fold } from '../../shared/fold.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGroupedSites } from '../../shared/use-grouped-sites.ts'
import styles from './people.module.css'

interface MoveDialogProps {
  userIds: ReadonlySet<string>
  /** Told that somebody was moved. */
  onMoved: () => void
  onClose: () => void
}

type Refusal = (typeof MOVE_REFUSALS)[number]
const NOWHERE = ''

/** Asks to which site the people selected go, moves them, and says who stays and why. Mount it to open it. */
export function MoveDialog({ userIds: selected, onMoved, onClose }: MoveDialogProps) {
  const { t } = useTranslation(['people', 'common'])
  const { number } = useFormat()
  const { tenantId, me } = useScope()
  const sites = useGroupedSites()
  const cache = useQueryClient()
  const problemText = useProblemText()
  // who was moved is selected no longer
  const [userIds] = useState(selected)
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<string | null>(null)
  const [left, setLeft] = useState<ReadonlyMap<Refusal, number> | null>(null)
  const move = useAction(bulkMove, {
    onSuccess: ({ identities, success }) => {
      const moved = identities.filter(({ reason }) => reason === null).length
      if (moved > 0) showToast({ kind: 'done', text: t('move.done', { count: moved, amount: number(moved) }) })
      onMoved()
      void cache.invalidateQueries({ queryKey: endpointKey(getUnassigned) })
      if (success) return onClose()
      const reasons = identities.flatMap(({ reason }) => reason ?? [])
      setLeft(new Map([...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length])))
    },
  })
  const words = fold(search.trim())
  const options = [
    ...(isTenantLevel(me.roles) ? [{ key: NOWHERE, label: t('unassigned') }] : []),
    ...sites.filter(({ active }) => active).map(({ id, name, group }) => ({ key: id, label: name, group })),
  ].filter(({ label, group = '' }: ListOption) => fold(`${label} ${group}`).includes(words))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('move.title', { count: userIds.size, amount: number(userIds.size) })}
      footer={
        <FormButtons
          label={t('move.start')}
          busy={move.isPending}
          disabledReason={left ? t('move.over') : picked === null ? t('move.choose') : null}
          onCancel={onClose}
          onSubmit={() =>
            move.mutate({ params: { connectorId: tenantId }, body: { targetSiteId: picked || null, identityIds: [...userIds] } })
          }
        />
      }
    >
      <div className={styles.moveSites}>
        <SearchList
          label={t('move.site')}
          placeholder={t('move.find')}
          options={options}
          search={search}
          onSearch={setSearch}
          onPick={({ key }) => setPicked(key)}
          picked={picked}
          empty={t('move.noSite')}
          takesFocus={false}
        />
      </div>
      {move.error && (
        <Banner tone="danger" boxed alert>
          {problemText(move.error)}
        </Banner>
      )}
      {left && (
        <Banner tone="warn" boxed alert>
          {[...left].map(([reason, count]) => (
            <div key={reason}>{t(`move.left.${reason}`, { count, amount: number(count) })}</div>
          ))}
        </Banner>
      )}
    </Dialog>
  )
}
