/** Lists as an administrator keeps them: filter, columns and order under a name. */
import { z } from 'zod'
import { Condition } from './conditions.ts'
import { endpoint } from './endpoint.ts'
import { lineOfText } from './line-of-text.ts'
import { Id, SearchText } from './page.ts'
import { PEOPLE_ADMINS } from './roles.ts'
import { AccountStatus, USER_SORTS } from './users.ts'

/** What a view brings back. The site is not part of it: it is looked at from where its owner stands. */
export const ViewState = z.object({
  accountStatus: AccountStatus.default('all'),
  searchText: SearchText.nullable().default(null),
  connectorId: Id.nullable().default(null),
  siteGroupId: Id.nullable().default(null),
  filters: Condition.nullable().default(null),
  sort: z.enum(USER_SORTS).default('displayName'),
  columns: z.array(z.string().max(60)).max(40),
  pageSize: z.number().int().min(1).max(250).default(10),
})
export type ViewState = z.infer<typeof ViewState>

export const SavedView = z.object({ id: Id, name: z.string(), state: ViewState })
export type SavedView = z.infer<typeof SavedView>

/** Longest name of a view. */
export const MAX_VIEW_NAME = 60
const name = lineOfText({ longest: MAX_VIEW_NAME, missing: 'enterName' })
const own = { who: { roles: PEOPLE_ADMINS }, within: 'tenant' } as const
const params = z.object({ tenantId: Id, id: Id })

export const listViews = endpoint({
  ...own,
  id: 'views.list',
  method: 'GET',
  path: '/connectors/{tenantId}/views',
  summary: "The caller's own saved views of the people list, by name.",
  params: z.object({ tenantId: Id }),
  response: z.object({ data: z.array(SavedView) }),
})

export const createView = endpoint({
  ...own,
  id: 'views.create',
  method: 'POST',
  path: '/connectors/{tenantId}/views',
  summary: 'Saves a view under a name; at most 50.',
  params: z.object({ tenantId: Id }),
  body: z.object({ name, state: ViewState }),
  response: SavedView,
  status: 201,
  problems: ['VIEW_NAME_TAKEN'],
})

export const updateView = endpoint({
  ...own,
  id: 'views.update',
  method: 'PUT',
  path: '/connectors/{tenantId}/views/{id}',
  summary: 'Renames a view, or keeps something else under its name.',
  params,
  body: z.object({ name: name.optional(), state: ViewState.optional() }),
  response: SavedView,
  problems: ['VIEW_NAME_TAKEN'],
})

export const deleteView = endpoint({
  ...own,
  id: 'views.delete',
  method: 'DELETE',
  path: '/connectors/{tenantId}/views/{id}',
  summary: 'Forgets a view.',
  params,
})
