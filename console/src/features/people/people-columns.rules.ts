/** Columns that a people list can show beside the name, in the order in which they are offered; each is a member of a row. */
export const COLUMN_KEYS = [
  'title',
  'department',
  'locationName',
  'status',
  'accessCodeDelivery',
  'startDate',
  'endDate',
  'employeeId',
  'externalId',
  'siteId',
  'connectorId',
  'division',
  'organization',
  'costCenter',
  'country',
  'manager',
  'workEmail',
  'personalEmail',
  'personalPhone',
  'userType',
  'employmentType',
  'preferredLanguage',
  'updatedAt',
] as const
export type ColumnKey = (typeof COLUMN_KEYS)[number]

/** What a list shows until its reader chooses otherwise. */
export const DEFAULT_COLUMNS: readonly ColumnKey[] = ['title', 'locationName', 'status', 'accessCodeDelivery', 'startDate']

const isColumnKey = (key: string): key is ColumnKey => COLUMN_KEYS.some((known) => known === key)

/** The columns of a list of names, unknown ones and repetitions left out. */
export const knownColumns = (keys: readonly string[]): readonly ColumnKey[] => [...new Set(keys.filter(isColumnKey))]

export const sameColumns = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

/** Every column in the order in which a menu offers them: those chosen as they stand, then the others. */
export const offeredOrder = (columns: readonly ColumnKey[]): readonly ColumnKey[] => [
  ...columns,
  ...COLUMN_KEYS.filter((key) => !columns.includes(key)),
]

/** The chosen columns after one was chosen or left out, in the order offered. */
export const withColumn = (order: readonly ColumnKey[], columns: readonly ColumnKey[], key: ColumnKey): readonly ColumnKey[] =>
  order.filter((one) => (one === key ? !columns.includes(key) : columns.includes(one)))

/** The order after a chosen column changed places with the chosen one before (-1) or after (1) it; the same where there is none. */
export const withColumnMoved = (
  order: readonly ColumnKey[],
  columns: readonly ColumnKey[],
  { key, step }: { key: ColumnKey; step: 1 | -1 },
): readonly ColumnKey[] => {
  const other = columns[columns.indexOf(key) + step]
  if (other === undefined) return order
  return order.map((one) => (one === key ? other : one === other ? key : one))
}
