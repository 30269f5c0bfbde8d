import { type FailureCause, listRunFailures } from '@instep/contract/run-failures.ts'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePlanPlace } from './plan-places.tsx'
import { useRunWords } from './use-run-words.ts'
import type { WatchedRun } from './watched-run.ts'

/** The cause whose rows are looked at, as the address names it and as the calls take it. */
export const usePlanCause = () => {
  const [search, change] = usePageSearch()
  const { cause, field } = search
  const query: { cause?: string; field?: string } = cause ? { cause, ...(field ? { field } : {}) } : {}
  return {
    isPicked: (of: Pick<FailureCause, 'code' | 'field'>) => of.code === cause && (of.field ?? undefined) === field,
    query,
    /** Shows the rows of a cause, in the tab of their kind; undefined: of all causes again. */
    change: (picked: FailureCause | undefined) =>
      change(
        {
          row: undefined,
          cause: picked?.code,
          field: picked?.field ?? undefined,
          ...(picked ? { kind: picked.kind, search: undefined } : {}),
        },
        { replace: true },
      ),
  }
}

/** Why rows of the run were not carried out, where the plan is looked at. */
export const useRunFailures = (run: WatchedRun) => {
  const { tenantId } = useScope()
  const place = usePlanPlace()
  const failed = run.counts.invalid + run.counts.conflict + run.stale
  const planned = run.state !== 'queued' && run.state !== 'running'
  return useEndpoint(
    listRunFailures,
    { params: { tenantId, runId: run.id }, query: place.query },
    { enabled: failed > 0 && planned, staleTime: run.finishedAt ? Number.POSITIVE_INFINITY : 0 },
  )
}

export const useCauseWords = () => {
  const { t } = useTranslation(['sync', 'people'])
  const { reasons } = useRunWords()
  return {
    /** What kind of failure it is, and of which field. */
    name: ({ kind, field }: FailureCause): string =>
      field
        ? t('failures.ofField', { kind: t(`failures.kinds.${kind}`), field: t(`people:fields.${field}`) })
        : t(`failures.kinds.${kind}`),
    sentence: ({ kind, example }: FailureCause): string =>
      kind === 'stale' ? t('plan.stale') : (reasons({ reasons: [example.reason] })[0] ?? ''),
  }
}
