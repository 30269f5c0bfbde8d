import { ENDPOINTS } from '@instep/contract/endpoints.ts'
import { ROLES } from '@instep/contract/roles.ts'
import { z } from 'zod'
import { SETTINGS } from './config.ts'

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`
const code = (text: string): string => `\`${text}\``

/** Every call as a Markdown table: method, path, who may, what it does. */
export const apiTable = (): string =>
  [
    row('Call', 'Who', 'What'),
    row('---', '---', '---'),
    ...ENDPOINTS.map(({ method, path, who, summary }) =>
      row(
        code(`${method} ${path}`),
        [...who.roles.map((role) => role.replace('admin.', '')), ...(who.bit ? [who.bit] : [])].join(', '),
        summary,
      ),
    ),
  ].join('\n')

const standardOf = (setting: z.ZodType): string => {
  const parsed = setting.safeParse(undefined)
  if (!parsed.success || parsed.data === undefined) return ''
  if (typeof parsed.data === 'boolean') return code(parsed.data ? 'on' : 'off')
  return code(typeof parsed.data === 'object' ? JSON.stringify(parsed.data) : String(parsed.data))
}

/** Every setting as a Markdown table: name, default, meaning. */
export const settingsTable = (): string =>
  [
    row('Setting', 'Default', 'Meaning'),
    row('---', '---', '---'),
    ...Object.entries(SETTINGS).map(([name, setting]) =>
      row(code(name), standardOf(setting), z.globalRegistry.get(setting)?.description ?? setting.description ?? ''),
    ),
  ].join('\n')

/** Which role and which bit each call asks for, as a Markdown table. */
export const permissionsTable = (): string =>
  [
    row('Call', ...ROLES.map((role) => role.replace('admin.', '')), 'basic', 'bit'),
    row('---', ...ROLES.map(() => '---'), '---', '---'),
    ...ENDPOINTS.map(({ id, who }) =>
      row(
        code(id),
        ...ROLES.map((role) => (who.roles.includes(role) ? 'yes' : '–')),
        who.basic ? 'yes' : '–',
        who.bit ? code(who.bit) : '–',
      ),
    ),
  ].join('\n')
