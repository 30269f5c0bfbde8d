import { searchUsers } from '@instep/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { filterOf, type PeopleList, shownCount } from './people-list.rules.ts'

/** The people of a list, grown page by page, with how many there are in words. */
export const usePeople = (list: PeopleList) => {
  const { t } = useTranslation('people')
  const { tenantId, siteId } = useScope()
  const { number } = useFormat()
  const { sort, pageSize } = list
  const filter = filterOf(list, siteId)
  const pages = usePages(searchUsers, {
    key: [tenantId, filter, sort, pageSize],
    inputOf: (continuationToken) => ({ params: { connectorId: tenantId }, body: { ...filter, continuationToken, pageSize, sort } }),
  })
  const counted = pages.pages?.[0]?.count
  const count = counted && { ...counted, value: shownCount(counted) }
  const amount = count && number(count.value)
  return {
    ...pages,
    /** How many there are, as it is shown. */
    count,
    total: count && (count.exact ? t('total', { count: count.value, amount }) : t('totalAbout', { count: count.value, amount })),
    shown: pages.rows && count && t(count.exact ? 'shown' : 'shownAbout', { shown: number(pages.rows.length), count: count.value, amount }),
  }
}

export type People = ReturnType<typeof usePeople>
