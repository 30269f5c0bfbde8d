import { siteOfGuard } from '@instep/contract/guard-settings.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from './scope.tsx'

const OF_SITE = /^sites\.[^.]+\./

/** The name of a guard by its place in the settings; of a site's limit with the site: as it is given, else as it is called now. */
export const useGuardName = (): ((guard: string, siteName?: string) => string) => {
  const { t } = useTranslation('guards')
  const { sites } = useScope()
  return useCallback(
    (guard, siteName) => {
      const name = t(`names.${guard.replace(OF_SITE, 'limits.')}`, { defaultValue: guard })
      if (!OF_SITE.test(guard)) return name
      const siteId = siteOfGuard(guard)
      if (siteId === null) return t('atEachSite', { guard: name })
      const site = siteName ?? sites?.find(({ id }) => id === siteId)?.name
      return site === undefined ? t('atOneSite', { guard: name }) : t('atSite', { guard: name, site })
    },
    [t, sites],
  )
}

/** Guards by their names, as one phrase. */
export const useGuardNames = (): ((guards: readonly string[]) => string) => {
  const { t, i18n } = useTranslation('guards')
  const nameOf = useGuardName()
  return useCallback(
    (guards) =>
      new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(guards.map((guard) => t('quoted', { guard: nameOf(guard) }))),
    [t, i18n.language, nameOf],
  )
}
