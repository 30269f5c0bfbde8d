import { ToastRegion } from '@instep/ui/toast-region.tsx'
import { TooltipRegion } from '@instep/ui/tooltip-region.tsx'
import { UiWordsProvider } from '@instep/ui/ui-words.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { ApiProvider } from '../api/api-context.tsx'
import type { Api } from '../api/create-api.ts'
import { createQueryClient } from '../api/query-client.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import type { AddressBar } from '../router/address-bar.ts'
import { Router } from '../router/router.tsx'
import { ROUTES } from '../routes.ts'
import type { Session } from '../session/create-session.ts'
import { Pages } from './pages.tsx'
import { SessionProvider } from './session-context.tsx'
import { useAppearance } from './use-appearance.ts'

const WORDS = ['close', 'copy', 'copied', 'loading', 'clear', 'dismiss', 'to', 'added', 'removed', 'changed'] as const

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
  addressBar: AddressBar
}

/** The console. */
export function App({ session, api, addressBar }: AppProps) {
  const [cache] = useState(createQueryClient)
  return (
    <Surroundings>
      <SessionProvider session={session}>
        <ApiProvider api={api}>
          <QueryClientProvider client={cache}>
            <Router addressBar={addressBar} routes={ROUTES}>
              <Pages />
            </Router>
          </QueryClientProvider>
        </ApiProvider>
      </SessionProvider>
    </Surroundings>
  )
}
