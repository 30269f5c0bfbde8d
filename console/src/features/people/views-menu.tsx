import type { SavedView } from '@instep/contract/saved-views.ts'
import { Button } from '@instep/ui/button.tsx'
import { Menu, type MenuItem } from '@instep/ui/menu.tsx'
import { Popover } from '@instep/ui/popover.tsx'
import { IconBookmark, IconDeviceFloppy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../api/use-problem-text.ts'
import styles from './people.module.css'
import { differs, listOfView, type PeopleList, UNFILTERED } from './people-list.rules.ts'
import type { ChangeList } from './use-people-list.ts'
import { useViewActions, useViews } from './use-views.ts'
import type { ViewQuestion } from './view-dialog.tsx'

const ViewDialog = lazy(() => import('./view-dialog.tsx').then((module) => ({ default: module.ViewDialog })))

interface ViewsMenuProps {
  list: PeopleList
  onChange: ChangeList
}

/** The saved views of the people list: opens one, keeps what is shown now under its name or a new one, renames and deletes. */
export function ViewsMenu({ list, onChange }: ViewsMenuProps) {
  const { t } = useTranslation('people')
  const { views, error, refetch } = useViews()
  const problemText = useProblemText()
  const [question, setQuestion] = useState<ViewQuestion | null>(null)
  const current = views?.find(({ id }) => id === list.viewId)
  const changed = current !== undefined && differs(list, current.state)
  const open = (view: SavedView) => onChange(listOfView(view.id, view.state))
  const keep = (view: SavedView | null) => onChange({ viewId: view?.id ?? null }, { replace: true })
  const actions = useViewActions(list, { onDone: keep })
  const pick = (key: string) => {
    const view = views?.find(({ id }) => id === key)
    if (view) open(view)
    else if (key === 'retry') void refetch()
    else if (key === 'leave') onChange({ ...UNFILTERED, viewId: null })
    else if (key === 'save' && current) actions.save(current)
    else if (key === 'saveAs') setQuestion({ kind: 'saveAs' })
    else if (key === 'rename' && current) setQuestion({ kind: 'rename', view: current })
    else if (key === 'remove' && current) setQuestion({ kind: 'remove', view: current })
  }
  const items: MenuItem[] = [
    ...(error ? [{ key: 'retry', label: t('views.failed', { why: problemText(error) }) }] : []),
    ...(views ?? []).map(({ id, name }) => ({ key: id, label: name, checked: id === list.viewId })),
    ...(current ? [{ key: 'leave', label: t('views.leave'), divided: true }] : []),
    ...(current && changed ? [{ key: 'save', label: t('views.save', { name: current.name }), icon: IconDeviceFloppy, divided: true }] : []),
    { key: 'saveAs', label: t('views.saveAs'), icon: IconPlus, divided: !changed },
    ...(current
      ? [
          { key: 'rename', label: t('views.rename', { name: current.name }), icon: IconPencil },
          { key: 'remove', label: t('views.delete', { name: current.name }), icon: IconTrash },
        ]
      : []),
  ]
  return (
    <>
      <Popover
        align="end"
        holds="menu"
        width="260px"
        trigger={(props) => (
          <Button {...props} icon={IconBookmark} busy={actions.busy} className={styles.views}>
            <span className={`${styles.clip} ${styles.label}`}>{current?.name ?? t('views.open')}</span>
            {changed && <span className={styles.changed}>{t('views.changed')}</span>}
          </Button>
        )}
      >
        {(close) => (
          <Menu
            label={t('views.open')}
            items={items}
            onPick={(key) => {
              close()
              pick(key)
            }}
          />
        )}
      </Popover>
      {question && (
        <Suspense fallback={null}>
          <ViewDialog list={list} question={question} onDone={keep} onClose={() => setQuestion(null)} />
        </Suspense>
      )}
    </>
  )
}
