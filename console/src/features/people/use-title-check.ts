import { listLookups } from '@instep/contract/lookups.ts'
import { useApi } from '../../api/api-context.tsx'
import { useScope } from '../../shared/scope.tsx'
import { findTitle } from './find-title.ts'
import { departmentToCheck, type TypedPerson, withTitleChecked } from './typed-person.rules.ts'

const PAGE = 250

/** Holds the position against another department: what becomes of the form then, or the form as it is where that cannot be asked. */
export const useTitleCheck = () => {
  const api = useApi()
  const { tenantId } = useScope()
  return async (typed: TypedPerson): Promise<(now: TypedPerson) => TypedPerson> => {
    const { department, title } = typed.form
    const checked = departmentToCheck(typed)
    const same = ({ form }: TypedPerson) => form.department === department && form.title === title
    if (checked === null) return (now) => (now.form.department === department ? { ...now, titleFor: department } : now)
    const query = {
      ReferenceType: 'JobTitle',
      Department: checked.slice(0, 250),
      SearchText: title.trim().slice(0, 200),
      pageSize: PAGE,
    } as const
    const allowed = await findTitle(title, (continuationToken) =>
      api.call(listLookups, { params: { connectorId: tenantId }, query: { ...query, continuationToken } }),
    ).catch(() => undefined)
    return (now) => (allowed && same(now) ? withTitleChecked(now, allowed) : now)
  }
}
