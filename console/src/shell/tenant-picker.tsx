import { Popover } from '@instep/ui/popover.tsx'
import { SearchList } from '@instep/ui/search-list.tsx'
import { IconBuildingSkyscraper } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { fold } from '../shared/fold.ts'
import { useScope } from '../shared/scope.tsx'
import { useGo } from '../shared/use-go.ts'
import { workIn } from './console-store.ts'
import { PickerButton } from './picker-button.tsx'

interface TenantPickerProps {
  small: boolean
}

/** Chooses the tenant a super administrator works in. */
export function TenantPicker({ small }: TenantPickerProps) {
  const { t } = useTranslation('shell')
  const { tenant, tenants } = useScope()
  const go = useGo()
  const [search, setSearch] = useState('')
  const options = tenants.filter((one) => fold(one.name).includes(fold(search))).map((one) => ({ key: one.id, label: one.name }))
  const pick = (tenantId: string) => {
    workIn(tenantId)
    go(paths.dashboard())
  }
  return (
    <Popover
      width="280px"
      trigger={(props) => (
        <PickerButton {...props} small={small} icon={IconBuildingSkyscraper} label={t('tenant.pick')} name={tenant.name} />
      )}
    >
      {(close) => (
        <SearchList
          label={t('tenant.pick')}
          placeholder={t('tenant.find')}
          empty={t('tenant.none')}
          options={options}
          search={search}
          onSearch={setSearch}
          picked={tenant.id}
          onPick={(option) => {
            close()
            setSearch('')
            if (option.key !== tenant.id) pick(option.key)
          }}
        />
      )}
    </Popover>
  )
}
