import { lazyPage } from './router/lazy-page.ts'
import type { Route } from './router/router.tsx'

const dashboard = lazyPage(() => import('./features/dashboard/dashboard-page.tsx').then((file) => file.DashboardPage), 'dashboard')
const people = lazyPage(() => import('./features/people/people-page.tsx').then((file) => file.PeoplePage), 'people')
const overrides = lazyPage(
  () => import('./features/overrides/overrides-page.tsx').then((file) => file.OverridesPage),
  'overrides',
  'people',
)
const tasks = lazyPage(() => import('./features/tasks/tasks-page.tsx').then((file) => file.TasksPage), 'tasks')
const settings = lazyPage(() => import('./features/settings/settings-page.tsx').then((file) => file.SettingsPage), 'settings')
const sites = lazyPage(() => import('./features/sites/sites-page.tsx').then((file) => file.SitesPage), 'sites')
const connectors = lazyPage(() => import('./features/connectors/connectors-page.tsx').then((file) => file.ConnectorsPage), 'connectors')
const connector = lazyPage(() => import('./features/connectors/connector-page.tsx').then((file) => file.ConnectorPage), 'connectors')
const config = lazyPage(() => import('./features/connectors/config-page.tsx').then((file) => file.ConfigPage), 'config')
const groups = lazyPage(() => import('./features/connectors/groups-page.tsx').then((file) => file.GroupsPage), 'groups')
const importing = lazyPage(() => import('./features/sync/import-page.tsx').then((file) => file.ImportPage), 'sync')
const explain = lazyPage(() => import('./features/sync/explain-page.tsx').then((file) => file.ExplainPage), 'explain')
const syncUser = lazyPage(() => import('./features/sync/sync-user-page.tsx').then((file) => file.SyncUserPage), 'sync', 'explain')
const runs = lazyPage(() => import('./features/sync/runs-page.tsx').then((file) => file.RunsPage), 'sync')
const run = lazyPage(() => import('./features/sync/run-page.tsx').then((file) => file.RunPage), 'sync')
const cases = lazyPage(() => import('./features/cases/cases-page.tsx').then((file) => file.CasesPage), 'cases')
const oneCase = lazyPage(() => import('./features/cases/case-page.tsx').then((file) => file.CasePage), 'cases')
const messages = lazyPage(() => import('./features/messages/messages-page.tsx').then((file) => file.MessagesPage), 'outbox')
const logs = lazyPage(() => import('./features/logs/logs-page.tsx').then((file) => file.LogsPage), 'logs')
const callback = lazyPage(() => import('./shell/callback-page.tsx').then((file) => file.CallbackPage))
const logout = lazyPage(() => import('./shell/logout-page.tsx').then((file) => file.LogoutPage))
const loggedOut = lazyPage(() => import('./shell/logged-out-page.tsx').then((file) => file.LoggedOutPage))

/** Every page of the console. */
export const ROUTES: readonly Route[] = [
  { path: '/auth/callback', page: callback, outside: true },
  { path: '/auth/logout', page: logout, outside: true },
  { path: '/auth/logged-out', page: loggedOut, outside: true },
  { path: '/', page: dashboard, audience: 'people', needsSites: true },
  { path: '/sites/$siteId', page: dashboard, audience: 'people', needsSites: true },
  { path: '/users', page: people, audience: 'people', needsSites: true },
  { path: '/sites/$siteId/users', page: people, audience: 'people', needsSites: true },
  { path: '/overrides', page: overrides, audience: 'people', needsSites: true },
  { path: '/sites/$siteId/overrides', page: overrides, audience: 'people', needsSites: true },
  { path: '/tasks', page: tasks, audience: 'people', needsSites: true },
  { path: '/sites/$siteId/tasks', page: tasks, audience: 'people', needsSites: true },
  { path: '/settings', page: settings, audience: 'people' },
  { path: '/sites/$siteId/settings', page: settings, audience: 'people' },
  { path: '/sites-and-groups', page: sites, audience: 'people' },
  { path: '/logs', page: logs, audience: 'people' },
  { path: '/connectors', page: connectors, audience: 'tenant' },
  { path: '/connectors/$connectorId', page: connector, audience: 'tenant' },
  { path: '/connectors/$connectorId/configuration', page: config, audience: 'tenant' },
  { path: '/connectors/$connectorId/groups', page: groups, audience: 'tenant' },
  { path: '/connectors/$connectorId/import', page: importing, audience: 'tenant' },
  { path: '/connectors/$connectorId/explain', page: explain, audience: 'tenant' },
  { path: '/connectors/$connectorId/users/$userId/sync', page: syncUser, audience: 'tenant' },
  { path: '/runs', page: runs, audience: 'tenant' },
  { path: '/runs/$runId', page: run, audience: 'tenant' },
  { path: '/cases', page: cases, audience: 'tenant' },
  { path: '/cases/$caseId', page: oneCase, audience: 'tenant' },
  { path: '/messages', page: messages, audience: 'tenant' },
]
