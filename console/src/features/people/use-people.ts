import { type AccountStatus, searchUsers } from '@instep/contract/users.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'

/** The list of people behind the page, grown page by page, with how many there are in words. */
export const usePeople = ({ status, text }: { status: AccountStatus; text: string }) => {
  const { t } = useTranslation('people')
  const { tenantId, siteId } = useScope()
  const { number } = useFormat()
  const [pageSize, setPageSize] = useState(10)
  const pages = usePages(searchUsers, {
    key: [tenantId, siteId, status, text, pageSize],
    inputOf: (continuationToken) => ({
      params: { connectorId: tenantId },
      body: { continuationToken, pageSize, siteId, accountStatus: status, searchText: text || null },
    }),
  })
  const count = pages.pages?.[0]?.count
  const amount = count && number(count.value)
  return {
    ...pages,
    pageSize,
    setPageSize,
    total: count && (count.exact ? t('total', { count: count.value, amount }) : t('totalAbout', { count: count.value, amount })),
    shown: pages.rows && count && t(count.exact ? 'shown' : 'shownAbout', { shown: number(pages.rows.length), count: count.value, amount }),
  }
}

export type People = ReturnType<typeof usePeople>
