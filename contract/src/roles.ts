/** Who may do what: role claim values, the derived roles and the permission bits (1-console.md section 6, decisions.md section 6). */
import { z } from 'zod'

/** The role claim values, strongest first. */
export const ROLES = ['admin.super', 'admin.tenant', 'admin.sitegroup', 'admin.site', 'admin.gdpr'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

/** Roles that look after people: everyone but the data-protection admin standing alone. */
export const PEOPLE_ADMINS = ['admin.super', 'admin.tenant', 'admin.sitegroup', 'admin.site'] as const satisfies readonly Role[]
/** Roles that see a whole tenant. */
export const TENANT_ADMINS = ['admin.super', 'admin.tenant'] as const satisfies readonly Role[]

/** Tenant-level admin: tenant or super. */
export const isTenantLevel = (roles: readonly Role[]): boolean => roles.includes('admin.super') || roles.includes('admin.tenant')
/** Site-group admin: sitegroup and not tenant-level. */
export const isSiteGroupAdmin = (roles: readonly Role[]): boolean => roles.includes('admin.sitegroup') && !isTenantLevel(roles)
/** Site admin: site and none of tenant, super, sitegroup. */
export const isSiteAdmin = (roles: readonly Role[]): boolean =>
  roles.includes('admin.site') && !isTenantLevel(roles) && !roles.includes('admin.sitegroup')

/** Permission bits of an admin and of a connector instance; an act needs the role and both masks. */
export const PERMISSIONS = {
  importUsers: 1,
  importShifts: 2,
  importFeedback: 4,
  exportUsers: 8,
  exportAccessCodes: 16,
  exportShifts: 32,
  signIn: 64,
  editUsers: 128,
  editSites: 256,
  editSettings: 512,
} as const
export type Permission = keyof typeof PERMISSIONS
export const ALL_IMPORT_EXPORT = 63
export const ALL = 127
export const EDIT_ALL = 896
export const EVERY_PERMISSION = 1023

/** Whether every given mask carries the bit. */
export const permits = (bit: Permission, ...masks: number[]): boolean => masks.every((mask) => (mask & PERMISSIONS[bit]) !== 0)
