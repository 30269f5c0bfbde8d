import { createView, deleteView, listViews, type SavedView, updateView } from '@instep/contract/saved-views.ts'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'
import { type PeopleList, viewOf } from './people-list.rules.ts'

const KEPT_FOR = 60_000

/** The caller's saved views; undefined while they load. */
export const useViews = () => {
  const { tenantId } = useScope()
  const query = useEndpoint(listViews, { params: { tenantId } }, { staleTime: KEPT_FOR })
  return { views: query.data?.data, error: query.error, refetch: query.refetch }
}

interface ViewActions {
  /** Told the view that was made or changed; null where one was deleted. */
  onDone: (view: SavedView | null) => void
  /** Told what went wrong; a toast says it where this is absent. */
  onRefused?: ((error: Error) => void) | undefined
}

/** Saves what a list shows under a new name or an old one, renames a view, forgets one. */
export const useViewActions = (list: PeopleList, { onDone, onRefused }: ViewActions) => {
  const { t } = useTranslation('people')
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refused = onRefused ?? ((error: Error) => showToast({ kind: 'failed', text: problemText(error) }))
  const done = (words: string, view: SavedView | null) => {
    void cache.invalidateQueries({ queryKey: endpointKey(listViews) })
    showToast({ kind: 'done', text: t(words, { name: view?.name ?? '' }) })
    onDone(view)
  }
  const create = useAction(createView, { onSuccess: (view) => done('views.saved', view), onError: refused })
  const update = useAction(updateView, { onSuccess: (view) => done('views.saved', view), onError: refused })
  const remove = useAction(deleteView, { onSuccess: () => done('views.deleted', null), onError: refused })
  return {
    busy: create.isPending || update.isPending || remove.isPending,
    saveAs: (name: string) => create.mutate({ params: { tenantId }, body: { name, state: viewOf(list) } }),
    save: ({ id }: SavedView) => update.mutate({ params: { tenantId, id }, body: { state: viewOf(list) } }),
    rename: ({ id }: SavedView, name: string) => update.mutate({ params: { tenantId, id }, body: { name } }),
    remove: ({ id }: SavedView) => remove.mutate({ params: { tenantId, id } }),
  }
}
