import { getPlanBreakdown, type PlanBreakdown } from '@instep/contract/plan-breakdown.ts'
import { Button } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { type Ranked, RankedList } from '@instep/ui/ranked-list.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconChartBar, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CallInput } from '../../api/create-api.ts'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import styles from './sync.module.css'
import type { WatchedRun } from './watched-run.ts'

/** What the address says for rows without a site, or without a department. */
const NONE = 'none'

/** The part of the plan that is looked at, as the address names it and as the calls take it. */
export const usePlanPlace = () => {
  const [search, change] = usePageSearch()
  const { site, department, nodepartment } = search
  return {
    site,
    department: nodepartment ? '' : department,
    query: {
      ...(site ? { siteId: site } : {}),
      ...(nodepartment ? { department: '' } : department ? { department } : {}),
    },
    change: (place: { site?: string | undefined; department?: string | undefined }) =>
      change(
        {
          row: undefined,
          ...('site' in place ? { site: place.site } : {}),
          ...('department' in place
            ? { department: place.department || undefined, nodepartment: place.department === '' ? 'true' : undefined }
            : {}),
        },
        { replace: true },
      ),
  }
}

interface PlanPlacesProps {
  run: WatchedRun
  /** The part of the plan whose rows are meant, and what it is called. */
  part: Part
  name: string
  disabledReason: string | null
}

type Part = NonNullable<CallInput<typeof getPlanBreakdown>['query']>

/** Where the rows of a part of the plan are: sites and departments by how many they have; choosing one narrows the list. */
export function PlanPlaces({ run, part, name, disabledReason }: PlanPlacesProps) {
  const { t } = useTranslation(['sync', 'common'])
  const [search, change] = usePageSearch()
  const opened = search['places'] === 'open'
  const close = () => change({ places: undefined }, { replace: true })
  return (
    <>
      <Button icon={IconChartBar} disabledReason={disabledReason} onClick={() => change({ places: 'open' })}>
        {t('places.title')}
      </Button>
      <PlaceChips run={run} part={part} />
      <Drawer
        opened={opened}
        onClose={close}
        title={t('places.title')}
        aside={name}
        footer={<Button onClick={close}>{t('common:close')}</Button>}
      >
        {opened && <Places run={run} part={part} />}
      </Drawer>
    </>
  )
}

type PartProps = Pick<PlanPlacesProps, 'run' | 'part'>

const useBreakdown = ({ run, part }: PartProps, enabled: boolean) => {
  const { tenantId } = useScope()
  return useEndpoint(getPlanBreakdown, { params: { tenantId, runId: run.id }, query: part }, { enabled })
}

function Places({ run, part }: PartProps) {
  const { t } = useTranslation(['sync', 'common'])
  const { number } = useFormat()
  const place = usePlanPlace()
  const found = useBreakdown({ run, part }, true)
  if (found.error) return <ProblemNotice error={found.error} onRetry={found.refetch} />
  if (!found.data) return <Loader label={t('common:loading')} />
  const { sites, departments, totals } = found.data
  const row = (key: string, name: string, rows: number) => ({ key, name, count: rows, shown: number(rows) })
  const siteRows: Ranked[] = sites.map(({ siteId, name, rows }) => {
    const key = siteId ?? NONE
    const picked = place.site === key
    return { ...row(key, name ?? t('places.noSite'), rows), picked, onPick: () => place.change({ site: picked ? undefined : key }) }
  })
  const departmentRows: Ranked[] = departments.map(({ department, rows }) => {
    const key = department ?? ''
    const picked = place.department === key
    return {
      ...row(key, department ?? t('places.noDepartment'), rows),
      picked,
      onPick: () => place.change({ department: picked ? undefined : key }),
    }
  })
  return (
    <>
      <Ranking title={t('places.sites')} rows={siteRows} total={totals.sites} />
      <Ranking title={t('places.departments')} rows={departmentRows} total={totals.departments} />
    </>
  )
}

function Ranking({ title, rows, total }: { title: string; rows: readonly Ranked[]; total: number }) {
  const { t } = useTranslation('sync')
  const { number } = useFormat()
  return (
    <div className={styles.drawerPart}>
      <Section
        title={title}
        hint={total > rows.length ? t('places.most', { shown: number(rows.length), total: number(total) }) : undefined}
      >
        <RankedList rows={rows} />
      </Section>
    </div>
  )
}

const nameOfSite = (breakdown: PlanBreakdown | undefined, key: string): string | null | undefined =>
  breakdown?.sites.find(({ siteId }) => (siteId ?? NONE) === key)?.name

/** What the list is narrowed to, each with a way back. */
function PlaceChips({ run, part }: PartProps) {
  const { t } = useTranslation('sync')
  const { sites } = useScope()
  const place = usePlanPlace()
  const breakdown = useBreakdown({ run, part }, place.site !== undefined)
  const siteName = (key: string): string =>
    key === NONE ? t('places.noSite') : (sites?.find(({ id }) => id === key)?.name ?? nameOfSite(breakdown.data, key) ?? t('places.site'))
  return (
    <>
      {place.site !== undefined && <Chip name={siteName(place.site)} onRemove={() => place.change({ site: undefined })} />}
      {place.department !== undefined && (
        <Chip name={place.department || t('places.noDepartment')} onRemove={() => place.change({ department: undefined })} />
      )}
    </>
  )
}

/** Something that a list is narrowed to, with a way back. */
export function Chip({ name, onRemove }: { name: string; onRemove: () => void }) {
  const { t } = useTranslation('sync')
  return (
    <span className={styles.chip}>
      <bdi>{name}</bdi>
      <button type="button" aria-label={t('places.remove', { name })} onClick={onRemove}>
        <Icon of={IconX} size={12} />
      </button>
    </span>
  )
}
