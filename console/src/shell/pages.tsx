import { Loader } from '@instep/ui/loader.tsx'
import { Suspense } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { BrokenBoundary } from '../router/broken-boundary.tsx'
import { usePlace, useRoute } from '../router/router.tsx'
import { BrokenPage } from './broken-page.tsx'
import { ConsoleLayout } from './console-layout.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** The page of the address, inside of the console unless it stands outside. */
export function Pages() {
  const { t } = useTranslation()
  const { href } = usePlace()
  const route = useRoute()
  const page = (
    <BrokenBoundary of={href} fallback={<BrokenPage />}>
      {route ? <route.page.Page key={route.path} /> : <NotFoundPage />}
    </BrokenBoundary>
  )
  return (
    <Suspense fallback={<Loader label={t('loading')} />}>
      <BrokenBoundary of={href} fallback={<BrokenPage />}>
        {route?.outside ? page : <ConsoleLayout>{page}</ConsoleLayout>}
      </BrokenBoundary>
    </Suspense>
  )
}
