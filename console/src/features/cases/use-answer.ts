import { answerCase, getCase, listCases, type MatchCaseDetail, takeBackAnswer } from '@instep/contract/match-cases.ts'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useScope } from '../../shared/scope.tsx'

/** Answers a case and takes the answer back; what is shown of it follows. */
export const useAnswer = (caseId: string) => {
  const cache = useQueryClient()
  const { tenantId } = useScope()
  const params = { tenantId, caseId }
  const onSuccess = (seen: MatchCaseDetail) => {
    cache.setQueryData(endpointKey(getCase, { params }), seen)
    cache.invalidateQueries({ queryKey: endpointKey(listCases) })
  }
  const onError = () => cache.invalidateQueries({ queryKey: endpointKey(getCase, { params }) })
  const answer = useAction(answerCase, { onSuccess, onError })
  const takeBack = useAction(takeBackAnswer, { onSuccess, onError })
  return { params, answer, takeBack, error: answer.error ?? takeBack.error, busy: answer.isPending || takeBack.isPending }
}

export type Answering = ReturnType<typeof useAnswer>
