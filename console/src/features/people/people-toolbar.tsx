import { LONGEST_SEARCH } from '@instep/contract/page.ts'
import type { AccountStatus } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { PageToolbar } from '@instep/ui/page.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { IconFilter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOfferedConnectors } from '../../shared/use-offered-connectors.ts'
import styles from './people.module.css'
import type { PeopleList } from './people-list.rules.ts'
import { UnassignedFilter } from './unassigned-filter.tsx'
import type { ChangeList } from './use-people-list.ts'

// the order of the filter on screen
const STATUSES: readonly AccountStatus[] = ['all', 'claimed', 'notClaimed', 'notInvited', 'active', 'inactive']

interface PeopleToolbarProps {
  list: PeopleList
  onChange: ChangeList
  onFilter: () => void
}

/** Search, account status, connector and filter. */
export function PeopleToolbar({ list, onChange, onFilter }: PeopleToolbarProps) {
  const { t } = useTranslation(['people', 'common'])
  return (
    <PageToolbar>
      <SearchField
        label={t('search')}
        value={list.searchText}
        longest={LONGEST_SEARCH}
        onChange={(searchText) => onChange({ searchText }, { replace: true })}
      />
      <Segmented
        label={t('filter')}
        value={list.accountStatus}
        segments={STATUSES.map((value) => ({ value, label: t(`common:peopleFilter.${value}`) }))}
        onChange={(accountStatus) => onChange({ accountStatus })}
      />
      <ConnectorSelect list={list} onChange={onChange} />
      <Button icon={IconFilter} aria-haspopup="dialog" data-opens-filter onClick={onFilter}>
        {t('conditions.open')}
      </Button>
      <UnassignedFilter filters={list.filters} onChange={(filters) => onChange({ filters })} />
    </PageToolbar>
  )
}

const ALL = ''

/** Whose people are shown, where there is something to choose between. */
function ConnectorSelect({ list, onChange }: Pick<PeopleToolbarProps, 'list' | 'onChange'>) {
  const { t } = useTranslation('people')
  const connectors = useOfferedConnectors()
  const { connectorId } = list
  if (!connectors || (connectors.length < 2 && connectorId === null)) return null
  const options = [{ value: ALL, label: t('connector.all') }, ...connectors.map(({ id, name }) => ({ value: id, label: name }))]
  if (connectorId !== null && !connectors.some(({ id }) => id === connectorId))
    options.push({ value: connectorId, label: t('connector.unknown') })
  return (
    <div className={styles.connector}>
      <SelectField
        label={t('connector.label')}
        hideLabel
        toolbar
        value={connectorId ?? ALL}
        options={options}
        onChange={(id) => onChange({ connectorId: id === ALL ? null : id })}
      />
    </div>
  )
}
