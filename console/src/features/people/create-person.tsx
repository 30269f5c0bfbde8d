import { isTenantLevel } from '@instep/contract/roles.ts'
import { type Defaults, getDefaults, getSiteDefaults } from '@instep/contract/settings.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { Loader } from '@instep/ui/loader.tsx'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { phoneCountryOf } from '../../shared/phone-countries.ts'
import { useScope } from '../../shared/scope.tsx'
import { PersonForm } from './person-form.tsx'
import { typedNew } from './typed-person.rules.ts'
import { useClaims } from './use-claims.ts'
import type { PersonEditor } from './use-person-editor.ts'
import { defaultPhoneCountry, withDefaults } from './user-form.rules.ts'

interface CreatePersonProps {
  /** Null: the tenant's connector of people who are added by hand. */
  connectorId: string | null
  onSaved: (user: UserDetails) => void
  onClose: () => void
}

type Effective = NonNullable<Defaults['effective']>

const KEPT_FOR = 60_000
const effectiveOnly = { effective: 'true' } as const

/** Creates a person at the site of the address, with its defaults filled in. */
export function CreatePerson({ connectorId, onSaved, onClose }: CreatePersonProps) {
  const { t } = useTranslation('common')
  const { me, tenantId, siteId, sites } = useScope()
  const claims = useClaims()
  const ofTenant = useEndpoint(
    getDefaults,
    { params: { tenantId }, query: effectiveOnly },
    { enabled: siteId === null, staleTime: KEPT_FOR },
  )
  const ofSite = useEndpoint(
    getSiteDefaults,
    { params: { tenantId, siteId: siteId ?? '' }, query: effectiveOnly },
    { enabled: siteId !== null, staleTime: KEPT_FOR },
  )
  const defaults = siteId === null ? ofTenant : ofSite
  const onSite = useSiteDefaults(defaults.data?.effective ?? [])
  // without defaults the form is empty, which is no reason not to offer it
  if (!claims || !sites || (!defaults.data && !defaults.error)) return <Loader label={t('loading')} />
  const prefix = sites.find(({ id }) => id === siteId)?.employeeIdPrefix ?? ''
  return (
    <PersonForm
      draftKey={`person.new.${siteId ?? tenantId}${connectorId ? `.${connectorId}` : ''}`}
      initial={typedNew({ tenantId, connectorId: connectorId ?? tenantId, siteId }, { effective: defaults.data?.effective ?? [], prefix })}
      claims={claims}
      siteRequired={siteId === null && !isTenantLevel(me.roles)}
      onSite={onSite}
      onSaved={onSaved}
      onCancel={onClose}
      onClose={onClose}
    />
  )
}

/** Another site was chosen: its prefix and defaults take the place of those of before, where nothing else was written over them. */
const useSiteDefaults = (ofTenant: Effective) => {
  const api = useApi()
  const { tenantId, sites } = useScope()
  const effectiveOf = async (siteId: string | null): Promise<Effective> => {
    if (siteId === null) return ofTenant
    const found = await api.call(getSiteDefaults, { params: { tenantId, siteId }, query: effectiveOnly }).catch(() => null)
    return found?.effective ?? ofTenant
  }
  return async (siteId: string | null, editor: PersonEditor): Promise<void> => {
    const before = editor.form.siteId
    const [effective, previous] = await Promise.all([effectiveOf(siteId), effectiveOf(before)])
    const prefixOf = (id: string | null) => sites?.find((site) => site.id === id)?.employeeIdPrefix ?? ''
    editor.changeTyped((was) => {
      if (was.form.siteId !== siteId) return was
      const form = withDefaults(was.form, effective, previous)
      const employeeIdPrefix = form.employeeIdPrefix === prefixOf(before) ? prefixOf(siteId) : form.employeeIdPrefix
      const phoneCountry = was.form.phoneNumber === '' ? phoneCountryOf(defaultPhoneCountry(effective)) : was.phoneCountry
      const titleFor = form.department === was.form.department ? was.titleFor : form.department
      return { ...was, form: { ...form, employeeIdPrefix }, phoneCountry, titleFor }
    })
  }
}
