import type { UserRow } from '@instep/contract/users.ts'
import { ClaimTrack } from '@instep/ui/claim-track.tsx'
import type { Column } from '@instep/ui/data-table.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { DELIVERY_ICONS } from '../../shared/delivery-mark.tsx'
import { languageName } from '../../shared/language-name.ts'
import { useScope } from '../../shared/scope.tsx'
import { useOfferedConnectors } from '../../shared/use-offered-connectors.ts'
import styles from './people.module.css'
import type { ColumnKey } from './people-columns.rules.ts'
import { PersonName } from './person-name.tsx'

/** Least widths in pixels; the table shares out what is left in their proportion. */
const NAME_WIDTH = 232
const WIDTHS: Partial<Record<ColumnKey, number>> = {
  title: 150,
  status: 190,
  accessCodeDelivery: 80,
  startDate: 126,
  endDate: 126,
  employeeId: 120,
  externalId: 130,
  country: 100,
  workEmail: 220,
  personalEmail: 220,
  preferredLanguage: 130,
  updatedAt: 160,
}
const WIDTH = 128
const BOX_WIDTH = 52

const NOTHING = '–'
/** Heads of their own; the others are called as the field of the form. */
const OWN_HEADS: readonly string[] = ['title', 'status', 'accessCodeDelivery', 'employeeId', 'siteId', 'connectorId', 'updatedAt']

/** How columns are called in the reader's language. */
export const useColumnHead = (): ((key: ColumnKey) => string) => {
  const { t } = useTranslation('people')
  return (key) => t(OWN_HEADS.includes(key) ? `columns.${key}` : `fields.${key}`)
}

/** The columns of a people list, the name first, and how wide the table is at least. */
export const usePeopleColumns = (keys: readonly ColumnKey[]): { columns: readonly Column<UserRow>[]; fixedWidth: number } => {
  const { t } = useTranslation(['people', 'common'])
  const cells = useCells()
  const head = useColumnHead()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heads change with the words
  return useMemo(() => {
    const words = { locked: t('locked'), vip: t('vip'), overridden: t('overridden') }
    const name: Column<UserRow> = {
      key: 'displayName',
      header: t('columns.name'),
      cell: (row) => <PersonName row={row} words={words} />,
      width: `min(${NAME_WIDTH}px, 46vw)`,
      sortBy: 'displayName',
    }
    const others = keys.map(
      (key): Column<UserRow> => ({
        key,
        header: head(key),
        cell: cells[key],
        width: `${WIDTHS[key] ?? WIDTH}px`,
        figures: ['startDate', 'endDate', 'updatedAt', 'employeeId', 'externalId', 'personalPhone'].includes(key),
        sortBy: key === 'externalId' || key === 'startDate' ? key : undefined,
      }),
    )
    const wanted = keys.reduce((sum, key) => sum + (WIDTHS[key] ?? WIDTH), NAME_WIDTH)
    return { columns: [name, ...others], fixedWidth: BOX_WIDTH + wanted }
  }, [t, cells, keys.join()])
}

type Cells = Record<ColumnKey, (row: UserRow) => ReactNode>

/** What each column shows of a row. The cells ask nothing by themselves: there are thousands of them. */
const useCells = (): Cells => {
  const { t } = useTranslation(['people', 'common'])
  const { date, instant, locale } = useFormat()
  const { sites } = useScope()
  const connectors = useOfferedConnectors()
  return useMemo(() => {
    const siteNames = new Map(sites?.map(({ id, name }) => [id, name]))
    const connectorNames = new Map(connectors?.map(({ id, name }) => [id, name]))
    const text = (value: string | null | undefined) => (value ? <bdi>{value}</bdi> : NOTHING)
    const day = (value: string | null) => (value ? <bdi>{date(value)}</bdi> : NOTHING)
    return {
      title: (row) => (
        <>
          <div className={styles.clip}>{text(row.title)}</div>
          <div className={styles.second}>
            <bdi>{row.department}</bdi>
          </div>
        </>
      ),
      department: (row) => text(row.department),
      locationName: (row) => text(row.locationName),
      status: (row) => <ClaimTrack status={row.status} word={t(`common:accountStatus.${row.status}`)} />,
      accessCodeDelivery: (row) => (
        <span className={styles.flushMark}>
          <IconMark
            icon={DELIVERY_ICONS[row.accessCodeDelivery]}
            label={t(`common:delivery.${row.accessCodeDelivery.replace('.', '_')}`)}
            tone={row.accessCodeDelivery === 'none' ? 'danger' : 'idle'}
          />
        </span>
      ),
      startDate: (row) => day(row.startDate),
      endDate: (row) => day(row.endDate),
      employeeId: (row) => text(row.employeeId),
      externalId: (row) => text(row.externalId),
      siteId: (row) => (row.siteId === null ? t('unassigned') : text(siteNames.get(row.siteId))),
      connectorId: (row) => text(connectorNames.get(row.connectorId)),
      division: (row) => text(row.division),
      organization: (row) => text(row.organization),
      costCenter: (row) => text(row.costCenter),
      country: (row) => text(row.country),
      manager: (row) => text(row.manager),
      workEmail: (row) => text(row.workEmail),
      personalEmail: (row) => text(row.personalEmail),
      personalPhone: (row) => text(row.personalPhone),
      userType: (row) => text(row.userType),
      employmentType: (row) => text(row.employmentType),
      preferredLanguage: (row) => text(row.preferredLanguage && languageName(row.preferredLanguage, locale)),
      updatedAt: (row) => <bdi>{instant(row.updatedAt)}</bdi>,
    }
  }, [t, date, instant, locale, sites, connectors])
}
