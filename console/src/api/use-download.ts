import type { Endpoint } from '@instep/contract/endpoint.ts'
import { showToast } from '@instep/ui/toasts.ts'
import { useApi } from './api-context.tsx'
import type { CallInput } from './create-api.ts'
import { useWork } from './use-endpoint.ts'
import { useProblemText } from './use-problem-text.ts'

/** Fetches a file for the reader; where that fails it says why, in the given words or those of the problem. */
export const useDownload = <E extends Endpoint>(endpoint: E, textOf?: (error: Error) => string | undefined) => {
  const api = useApi()
  const problemText = useProblemText()
  const { mutate, isPending } = useWork(
    ({ input, fileName }: { input: CallInput<E>; fileName: string }) => api.download(endpoint, input, fileName),
    { onError: (error) => showToast({ kind: 'failed', text: textOf?.(error) ?? problemText(error) }) },
  )
  return {
    /** `fileName` where the server names none. */
    download: (input: CallInput<E>, fileName: string): void => mutate({ input, fileName }),
    busy: isPending,
  }
}
