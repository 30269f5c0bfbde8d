import { SCHEMA_ID } from '@instep/contract/user-fields.ts'
import { shapeOf } from '@instep/contract/user-shape.ts'
import type { User, UserDetails, UserTarget } from '@instep/contract/users.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { baseValue } from './base-value.rules.ts'
import { type Editability, editableFields, permitsFor } from './person.policy.ts'
import { fieldsOfRecord, type PersonRecord, type UserRecord } from './person.views.ts'
import { presentOverrides } from './user-overrides.presenter.ts'
import { shownStatus } from './users.presenter.ts'

/** A person in the documented API shape (1-console.md section 3). */
export const presentUser = (row: UserRecord): User => {
  const { extension, ...shape } = shapeOf(fieldsOfRecord(row))
  return {
    id: row.id,
    ...shape,
    connectorId: row.connector_id,
    siteId: row.site_id,
    ingestionType: row.ingestion_type as User['ingestionType'],
    schemaId: SCHEMA_ID,
    tenantId: row.tenant_id,
    active: row.active,
    locked: row.locked,
    vip: row.vip,
    extension: { ...extension, claimFields: row.claim_fields },
    ssoData: row.sso_data,
    overrides: presentOverrides(row.overrides ?? {}),
    claim: {
      state: row.claim_state as User['claim']['state'],
      invitedAt: row.invited_at?.toISOString() ?? null,
      claimedAt: row.claimed_at?.toISOString() ?? null,
    },
    status: shownStatus(row),
    version: row.version,
  }
}

type OverriddenField = Parameters<typeof baseValue>[1]

const presentLock = (row: PersonRecord): UserDetails['lock'] =>
  row.locked
    ? {
        kind: row.lock_kind ?? 'admin',
        reason: row.lock_reason ?? '',
        by: row.lock_by ?? '',
        at: (row.locked_at ?? new Date(0)).toISOString(),
      }
    : null

/** What decides whether the person may be changed. */
export const editabilityOf = (row: PersonRecord, takesUpdates: boolean): Editability => ({
  locked: row.locked,
  lockKind: row.lock_kind,
  connectorPermissions: row.connector_permissions,
  takesUpdates,
})

/** A person with their accounts at the targets, what is overridden, and what the caller may do. */
export const presentDetails = (
  row: PersonRecord,
  { targets, actor, takesUpdates }: { targets: UserTarget[]; actor: Actor; takesUpdates: boolean },
): UserDetails => ({
  ...presentUser(row),
  targets,
  connectorName: row.connector_name,
  siteName: row.site_name,
  lock: presentLock(row),
  overridden: row.override_list.map((override) => ({ ...override, base: baseValue(row.base, override.field as OverriddenField) })),
  reportsTo: row.reports_to,
  managerOpen: row.manager_open,
  employment: row.employment_state as UserDetails['employment'],
  keptUntil: row.kept_until?.toISOString() ?? null,
  can: permitsFor(actor, editabilityOf(row, takesUpdates)),
  editable: editableFields(row.linked),
})
