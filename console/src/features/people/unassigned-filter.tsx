import { getUnassigned } from '@instep/contract/bulk-move.ts'
import type { Condition } from '@instep/contract/conditions.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconMapPinOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { isUnassigned, UNASSIGNED } from './unassigned.rules.ts'

interface UnassignedFilterProps {
  filters: Condition | null
  onChange: (filters: Condition | null) => void
}

/** Narrows the list to people of no site, and says how many there are; where there are none it takes no room. */
export function UnassignedFilter({ filters, onChange }: UnassignedFilterProps) {
  const { t } = useTranslation('people')
  const { number } = useFormat()
  const { me, tenantId, siteId } = useScope()
  const offered = isTenantLevel(me.roles) && siteId === null
  const { data } = useEndpoint(getUnassigned, { params: { tenantId } }, { enabled: offered, staleTime: 0 })
  const on = isUnassigned(filters)
  if (!offered || (!on && !data?.people)) return null
  return (
    <Button icon={IconMapPinOff} aria-pressed={on} onClick={() => onChange(on ? null : UNASSIGNED)}>
      {data ? t('unassignedCount', { amount: number(data.people) }) : t('unassigned')}
    </Button>
  )
}
