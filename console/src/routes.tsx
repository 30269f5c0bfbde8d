import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { BrokenPage } from './shell/broken-page.tsx'
import { ConsoleLayout } from './shell/console-layout.tsx'
import type { Audience } from './shell/navigation.ts'
import { NotFoundPage } from './shell/not-found-page.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Who may open the page; absent admits everyone signed in. */
    audience?: Audience
    /** Administrators below tenant level open it only where they have a site. */
    needsSites?: boolean
  }
}

const root = createRootRoute({ component: Outlet })

// Outside of the console: signing in and out.
const callback = createRoute({
  getParentRoute: () => root,
  path: '/auth/callback',
  component: lazyRouteComponent(() => import('./shell/callback-page.tsx'), 'CallbackPage'),
})
const logout = createRoute({
  getParentRoute: () => root,
  path: '/auth/logout',
  component: lazyRouteComponent(() => import('./shell/logout-page.tsx'), 'LogoutPage'),
})
const loggedOut = createRoute({
  getParentRoute: () => root,
  path: '/auth/logged-out',
  component: lazyRouteComponent(() => import('./shell/logged-out-page.tsx'), 'LoggedOutPage'),
})

// Everything else is for who is signed in.
const layout = createRoute({ getParentRoute: () => root, id: 'console', component: ConsoleLayout })
const inside = { getParentRoute: () => layout } as const
const people = { audience: 'people' } as const
const atSites = { ...people, needsSites: true } as const
const tenant = { audience: 'tenant' } as const
/** A page about one thing is another page for another thing: no answer, question or draft is carried from one to the next. */
const ofOne = { ...inside, staticData: tenant, remountDeps: ({ params }: { params: unknown }) => params } as const

const dashboardPage = lazyRouteComponent(() => import('./features/dashboard/dashboard-page.tsx'), 'DashboardPage')
const peoplePage = lazyRouteComponent(() => import('./features/people/people-page.tsx'), 'PeoplePage')
const settingsPage = lazyRouteComponent(() => import('./features/settings/settings-page.tsx'), 'SettingsPage')
const tasksPage = lazyRouteComponent(() => import('./features/tasks/tasks-page.tsx'), 'TasksPage')
const overridesPage = lazyRouteComponent(() => import('./features/overrides/overrides-page.tsx'), 'OverridesPage')

const pages = [
  createRoute({ ...inside, path: '/', staticData: atSites, component: dashboardPage }),
  createRoute({ ...inside, path: '/users', staticData: atSites, component: peoplePage }),
  createRoute({ ...inside, path: '/sites/$siteId', staticData: atSites, component: dashboardPage }),
  createRoute({ ...inside, path: '/sites/$siteId/users', staticData: atSites, component: peoplePage }),
  createRoute({ ...inside, path: '/overrides', staticData: atSites, component: overridesPage }),
  createRoute({ ...inside, path: '/sites/$siteId/overrides', staticData: atSites, component: overridesPage }),
  createRoute({ ...inside, path: '/tasks', staticData: atSites, component: tasksPage }),
  createRoute({ ...inside, path: '/sites/$siteId/tasks', staticData: atSites, component: tasksPage }),
  createRoute({ ...inside, path: '/settings', staticData: people, component: settingsPage }),
  createRoute({ ...inside, path: '/sites/$siteId/settings', staticData: people, component: settingsPage }),
  createRoute({
    ...inside,
    path: '/sites-and-groups',
    staticData: people,
    component: lazyRouteComponent(() => import('./features/sites/sites-page.tsx'), 'SitesPage'),
  }),
  createRoute({
    ...inside,
    path: '/connectors',
    staticData: tenant,
    component: lazyRouteComponent(() => import('./features/connectors/connectors-page.tsx'), 'ConnectorsPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/connectors/$connectorId',
    component: lazyRouteComponent(() => import('./features/connectors/connector-page.tsx'), 'ConnectorPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/connectors/$connectorId/configuration',
    component: lazyRouteComponent(() => import('./features/connectors/config-page.tsx'), 'ConfigPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/connectors/$connectorId/groups',
    component: lazyRouteComponent(() => import('./features/connectors/groups-page.tsx'), 'GroupsPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/connectors/$connectorId/import',
    component: lazyRouteComponent(() => import('./features/sync/import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/connectors/$connectorId/explain',
    component: lazyRouteComponent(() => import('./features/sync/explain-page.tsx'), 'ExplainPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/connectors/$connectorId/users/$userId/sync',
    component: lazyRouteComponent(() => import('./features/sync/sync-user-page.tsx'), 'SyncUserPage'),
  }),
  createRoute({
    ...inside,
    path: '/runs',
    staticData: tenant,
    component: lazyRouteComponent(() => import('./features/sync/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/runs/$runId',
    component: lazyRouteComponent(() => import('./features/sync/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    ...inside,
    path: '/cases',
    staticData: tenant,
    component: lazyRouteComponent(() => import('./features/cases/cases-page.tsx'), 'CasesPage'),
  }),
  createRoute({
    ...ofOne,
    path: '/cases/$caseId',
    component: lazyRouteComponent(() => import('./features/cases/case-page.tsx'), 'CasePage'),
  }),
  createRoute({
    ...inside,
    path: '/messages',
    staticData: tenant,
    component: lazyRouteComponent(() => import('./features/messages/messages-page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    ...inside,
    path: '/logs',
    staticData: people,
    component: lazyRouteComponent(() => import('./features/logs/logs-page.tsx'), 'LogsPage'),
  }),
  createRoute({ ...inside, path: '$', component: NotFoundPage }),
]

const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))
const stringifySearch = (search: Record<string, string>): string => {
  const query = new URLSearchParams(search)
  return query.size > 0 ? `?${query}` : ''
}

/** The router of the console. The part after "?" is plain text on both sides: see `usePageSearch`. */
export const createConsoleRouter = () =>
  createRouter({
    routeTree: root.addChildren([callback, logout, loggedOut, layout.addChildren(pages)]),
    parseSearch,
    stringifySearch,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: false,
  })
