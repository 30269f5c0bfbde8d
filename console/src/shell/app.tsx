import { Loader } from '@instep/ui/loader.tsx'
import { ToastRegion } from '@instep/ui/toast-region.tsx'
import { TooltipRegion } from '@instep/ui/tooltip-region.tsx'
import { UiWordsProvider } from '@instep/ui/ui-words.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProvider } from '../api/api-context.tsx'
import type { Api } from '../api/create-api.ts'
import { createQueryClient } from '../api/query-client.ts'
import { createConsoleRouter } from '../routes.tsx'
import type { Session } from '../session/create-session.ts'
import { SessionProvider } from './session-context.tsx'
import { useAppearance } from './use-appearance.ts'

const WORDS = ['close', 'copy', 'copied', 'loading', 'clear', 'dismiss', 'to', 'added', 'removed', 'changed', 'tooLong'] as const

/** Everything that stands around the pages, signed in or not: words, colour scheme, tooltips, toasts. */
export function Surroundings({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  useAppearance()
  const words = useMemo(() => Object.fromEntries(WORDS.map((word) => [word, t(word)])) as Record<(typeof WORDS)[number], string>, [t])
  return (
    <UiWordsProvider words={words}>
      {children}
      <ToastRegion />
      <TooltipRegion />
    </UiWordsProvider>
  )
}

interface AppProps {
  session: Session
  api: Api
}

/** The console. */
export function App({ session, api }: AppProps) {
  const { t } = useTranslation()
  const [router] = useState(createConsoleRouter)
  const [cache] = useState(createQueryClient)
  return (
    <Surroundings>
      <SessionProvider session={session}>
        <ApiProvider api={api}>
          <QueryClientProvider client={cache}>
            <Suspense fallback={<Loader label={t('loading')} />}>
              <RouterProvider router={router} />
            </Suspense>
          </QueryClientProvider>
        </ApiProvider>
      </SessionProvider>
    </Surroundings>
  )
}
