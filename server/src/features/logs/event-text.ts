import english from '@instep/contract/locales/en_GB/events.json' with { type: 'json' }
import french from '@instep/contract/locales/fr_FR/events.json' with { type: 'json' }
import type { LogEntry } from '@instep/contract/logs.ts'

const ENGLISH = new Map<string, string>(Object.entries(english))
const WORDS = new Map([
  ['en_GB', ENGLISH],
  ['fr_FR', new Map<string, string>(Object.entries(french))],
])

/** What an event says in a language; en_GB where the language has no words for it, the type itself where nobody has. */
export const eventText = (type: string, data: LogEntry['data'], locale: string): string =>
  (WORDS.get(locale)?.get(type) ?? ENGLISH.get(type) ?? type).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(data[name] ?? ''))

const LEVELS = new Map<string, LogEntry['level']>(
  Object.entries({
    'common.error': 'error',
    'common.warning': 'warning',
    'common.success': 'success',
    'user.created': 'success',
    'user.reactivated': 'success',
    'user.deactivated': 'warning',
    'user.started': 'success',
    'user.ended': 'warning',
    'user.resumed': 'success',
    'dates.held': 'warning',
    'run.reportingCycles': 'warning',
    'run.applied': 'success',
    'run.undone': 'success',
    'run.held': 'warning',
    'run.rejected': 'warning',
    'run.cancelled': 'warning',
    'run.failed': 'error',
    'listRun.cancelled': 'warning',
    'listRun.failed': 'error',
    'target.account.created': 'success',
    'target.account.updated': 'success',
    'target.account.linked': 'success',
    'target.account.disabled': 'warning',
    'target.account.deleted': 'warning',
    'target.account.failed': 'error',
    'target.account.quarantined': 'error',
    'target.account.unlinked': 'warning',
    'target.removals.held': 'warning',
    'target.memberRemovals.held': 'warning',
    'target.group.created': 'success',
    'target.group.linked': 'success',
    'target.group.updated': 'success',
    'target.group.members': 'success',
    'target.group.deleted': 'warning',
    'target.group.failed': 'error',
    'target.group.quarantined': 'error',
    'target.paused': 'error',
    'drift.held': 'warning',
    'drift.failed': 'error',
    'target.resumed': 'success',
  }),
)

/** How much an event wants to be noticed. */
export const eventLevel = (type: string): LogEntry['level'] => LEVELS.get(type) ?? 'information'
