import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import { type ProvisioningWorld, provisioningWorld } from '../../testing/provisioning-world.ts'
import { dropGroups, type GroupSettings, wantGroups, wantMembers } from '../want-groups.ts'
import { type GroupStandIn, groupStandIn } from './group-stand-in.ts'

export interface GroupRow {
  readonly id: string
  readonly key: string
  readonly state: string
  readonly cause: string | null
  readonly last_error: string | null
  readonly attempts: number
  readonly remote_id: string | null
  readonly lease_owner: string | null
}

export interface MemberRow {
  readonly group_id: string
  readonly user_id: string
  readonly wanted: boolean
  readonly state: string
  readonly cause: string | null
  readonly last_error: string | null
  readonly remote_id: string | null
}

/** What a rule wants of groups at a target, and what is recorded of them. */
export interface GroupWishes {
  want(groups: Record<string, string>, settings?: GroupSettings): Promise<void>
  drop(...keys: string[]): Promise<void>
  /** Who belongs where: of everybody, or of some people only. */
  members(wanted: Record<string, readonly string[]>, among?: readonly string[]): Promise<void>
  groupRows(): Promise<GroupRow[]>
  memberRows(): Promise<MemberRow[]>
}

/** A provisioning world whose target has groups as well. */
export interface GroupsWorld extends ProvisioningWorld, GroupWishes {
  readonly groups: GroupStandIn
  /** Names of the target's groups with the user names of their members, as the target holds them. */
  truth(): Record<string, string[]>
  run(options?: Parameters<ProvisioningWorld['provisioner']>[0]): Promise<number>
}

const ORIGIN = 'rule'

export const groupWishes = (db: Db, { tenantId, targetId }: Pick<ProvisioningWorld, 'tenantId' | 'targetId'>): GroupWishes => {
  const rule = { tenantId, targetId, origin: ORIGIN, correlationId: 'wanted' }
  const transact = (work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) => db.transaction().execute(work)
  const rowsOf = async <T>(table: 'target_groups' | 'target_members'): Promise<T[]> => {
    const { rows } = await sql<T>`select * from ${sql.table(table)} where tenant_id = ${tenantId} order by 3, 4`.execute(db)
    return rows
  }
  return {
    want: async (names, settings = {}) => {
      const rows = JSON.stringify(Object.entries(names).map(([key, name]) => ({ key, name, settings })))
      const relation = sql`select * from jsonb_to_recordset(${rows}::jsonb) as w (key text, name text, settings jsonb)`
      await transact((tx) => wantGroups(tx, { ...rule, groups: relation }))
    },
    drop: async (...keys) => {
      await transact((tx) => dropGroups(tx, { ...rule, keys: sql`select unnest(${keys}::text[]) as key` }))
    },
    members: async (wanted, among) => {
      const pairs = Object.entries(wanted).flatMap(([key, users]) => users.map((user) => ({ key, user })))
      const relation = sql`select unnest(${pairs.map(({ key }) => key)}::text[]) as key, unnest(${pairs.map(({ user }) => user)}::uuid[]) as user_id`
      const some = among && { among: sql`select unnest(${among}::uuid[]) as user_id` }
      await transact((tx) => wantMembers(tx, { ...rule, members: relation, ...some }))
    },
    groupRows: () => rowsOf<GroupRow>('target_groups'),
    memberRows: () => rowsOf<MemberRow>('target_members'),
  }
}

export const groupsWorld = async (db: Db, options: { chunk?: number } = {}): Promise<GroupsWorld> => {
  const world = await provisioningWorld(db)
  const { tenantId, standIn } = world
  const groups = groupStandIn({ isAccount: (id) => standIn.accounts.has(id), ...options })
  return {
    ...world,
    ...groupWishes(db, world),
    groups,
    truth: () => {
      const nameOf = (id: string) => String(standIn.accounts.get(id)?.userName ?? `no account ${id}`)
      return Object.fromEntries(
        [...groups.held.values()].map(({ document, members }) => [String(document.name), [...members].map(nameOf).toSorted()]),
      )
    },
    run: (given = {}) => world.provisioner({ openTarget: async () => ({ ...world.scim(), groups }), ...given }).runOnce(),
    close: async () => {
      await db.deleteFrom('target_groups').where('tenant_id', '=', tenantId).execute()
      await world.close()
    },
  }
}
