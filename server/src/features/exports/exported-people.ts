import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { askedPeople, type PeopleFilter } from '../users/public.ts'
import type { ExportInput } from './export-input.ts'

/** The people whom an export means: those of its filter within what its starter saw, and the named ones among them. */
export const exportedPeople = async (deps: { db: Db; clock: Clock }, tenantId: string, input: ExportInput): Promise<PeopleFilter> => {
  const { sites, connectorId, filter, userIds } = input
  const people = await askedPeople(deps, { tenantId, sites, connectorId }, filter)
  if (!userIds) return people
  return { ...people, condition: sql<boolean>`(u.id = any (${userIds}::uuid[]) and ${people.condition ?? sql`true`})` }
}
