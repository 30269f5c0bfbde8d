import type { ProblemBody } from '@instep/contract/problem.ts'
import * as contract from '@instep/contract/user-edits.ts'
import { getUser, type UserDetails } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { uuidv7 } from '../../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../../testing/app.ts'
import { addConnector, addPeople, linkPeople } from '../../../testing/people.ts'

type Columns = Parameters<typeof addPeople>[2][number]

/** The server with a file connector, a manual one and a target in tenant one, at ten o'clock on 4 March 2026, and what tests of edits do there. */
export const editWorld = async () => {
  const at = { now: new Date('2026-03-04T10:00:00Z') }
  const app = await testApp({ clock: { now: () => at.now } })
  const { db } = app.database
  const tenantId = app.world.one.id
  const hr = await addConnector(db, { tenantId, name: 'HR' })
  const manual = await addConnector(db, { tenantId, name: 'By hand', ingestionType: 'manual' })
  await addConnector(db, { tenantId, name: 'Workplace', kind: 'target', ingestionType: 'target', definitionId: 'scim' })
  return {
    app,
    at,
    db,
    tenantId,
    hr,
    manual,
    ...residents(app, { tenantId, hr, manual }),
    ...calls(app, { hr }),
    ...traces(app),
    close: () => app.close(),
  }
}
export type EditWorld = Awaited<ReturnType<typeof editWorld>>

const residents = ({ database: { db }, world }: TestApp, { tenantId, hr, manual }: { tenantId: string; hr: string; manual: string }) => {
  const hrValues = { title: 'Baker', department: 'Bakery', work_email: 'ada@work.example', location_name: 'South site' }
  return {
    /** Somebody from the file, at the south site. */
    sourced: async (more: Columns = {}): Promise<string> => {
      const population = { tenantId, connectorId: hr }
      const [id = ''] = await addPeople(db, population, [{ site_id: world.one.southSite, ...hrValues, ...more }])
      await linkPeople(db, population, [id])
      return id
    },
    /** Somebody who was added by hand, at the south site. */
    added: async (more: Columns = {}): Promise<string> => {
      const [id = ''] = await addPeople(db, { tenantId, connectorId: manual }, [{ site_id: world.one.southSite, ...more }])
      return id
    },
  }
}

const calls = (app: TestApp, { hr }: { hr: string }) => {
  const paramsOf = async (id: string) => {
    const row = await app.database.db.selectFrom('users').select('connector_id').where('id', '=', id).executeTakeFirstOrThrow()
    return { connectorId: row.connector_id, id }
  }
  return {
    edit: async (id: string, body: Record<string, unknown>, admin: TestAdmin = 'tenant') =>
      app.call(admin, contract.updateUser, { params: await paramsOf(id), body }),
    /** An edit with an If-Match header. */
    editIf: async (id: string, ifMatch: string, body: object) => {
      const { connectorId } = await paramsOf(id)
      const response = await fetch(`${app.url}/v1/connectors/${connectorId}/users/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${await app.tokenOf('tenant')}`, 'content-type': 'application/json', 'if-match': ifMatch },
        body: JSON.stringify(body),
      })
      return {
        status: response.status,
        etag: response.headers.get('etag'),
        body: (await response.json()) as UserDetails & ProblemBody,
      }
    },
    profile: async (id: string, admin: TestAdmin = 'tenant') => (await app.call(admin, getUser, { params: await paramsOf(id) })).body,
    create: (body: Record<string, unknown>, { admin = 'tenant' as TestAdmin, connectorId = hr } = {}) => {
      const name = { givenName: 'Grace', familyName: 'Hopper' }
      return app.call(admin, contract.createUser, { params: { connectorId }, body: { name, externalId: uuidv7(), ...body } })
    },
  }
}

const traces = ({ database: { db } }: TestApp) => ({
  /** What was recorded of a person, version by version. */
  eventsOf: async (id: string) => {
    const { rows } = await sql<{ type: string; data: Record<string, unknown>; before: unknown; after: unknown }>`
      select type, data, before, after from events where subject_id = ${id} order by (data ->> 'version')::integer`.execute(db)
    return rows
  },
  accountsOf: (id: string) => db.selectFrom('target_accounts').selectAll().where('user_id', '=', id).execute(),
  /** As if the targets had confirmed. */
  settle: (id: string) => db.updateTable('target_accounts').set({ state: 'inStep' }).where('user_id', '=', id).execute(),
})
