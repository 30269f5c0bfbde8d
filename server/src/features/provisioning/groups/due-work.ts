import type { Db } from '../../../platform/db/database.ts'
import { type DueTarget, dueTargets } from '../account.store.ts'
import { type Service, serveTarget } from '../serve-target.ts'
import { dueGroupTargets } from './group.store.ts'
import { serveGroups } from './serve-groups.ts'

/** Enabled targets that have accounts or groups to be done at `now`. */
export const dueWork = async (db: Db, now: Date): Promise<DueTarget[]> => {
  const [accounts, groups] = await Promise.all([dueTargets(db, now), dueGroupTargets(db, now)])
  const known = new Set(accounts.map(({ targetId }) => targetId))
  return [...accounts, ...groups.filter(({ targetId }) => !known.has(targetId))]
}

/** Accounts first, then the groups that hold them; resolves with how many of both were brought to an answer. */
export const serveWork = async (service: Service): Promise<number> => (await serveTarget(service)) + (await serveGroups(service))
