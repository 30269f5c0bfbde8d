import { DEFINITIONS } from '@instep/connectors/definitions.ts'
import { sql } from 'kysely'
import { createConnector } from '../features/connectors/public.ts'
import { createSite, createSiteGroup } from '../features/sites/public.ts'
import type { Secrets } from '../platform/crypto/secrets.ts'
import type { Db } from '../platform/db/database.ts'
import { uuidv7 } from '../platform/ids.ts'

const CHUNK = 50_000
/** From so many people on a tenant gets stores, regions and a second source of its own. */
const LARGE = 100_000
const PEOPLE_OF_A_STORE = 2_000
const STORES_OF_A_REGION = 10

interface Crowd {
  readonly tenantId: string
  readonly users: number
  readonly secrets: Secrets
  /** Told after each chunk. */
  readonly onProgress: (done: number) => void
}

const makeStores = (db: Db, { tenantId, users, secrets }: Crowd): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ stores: number }>`
      select count(*)::integer as stores from sites where tenant_id = ${tenantId} and name like 'Store %'`.execute(tx)
    const by = { actor: { kind: 'system' as const, id: null, name: 'Instep' }, at: new Date(), correlationId: uuidv7() }
    const wanted = Math.ceil(users / PEOPLE_OF_A_STORE)
    let groupId = ''
    for (let store = rows[0]?.stores ?? 0; store < wanted; store++) {
      const number = String(store + 1).padStart(4, '0')
      if (store % STORES_OF_A_REGION === 0 || !groupId) groupId = await createSiteGroup(tx, { tenantId, name: `Region ${number}` }, by)
      await createSite(tx, { tenantId, groupId, name: `Store ${number}`, employeeIdPrefix: `S${number}` }, by)
    }
    const definition = DEFINITIONS.find(({ id }) => id === 'file')
    const contractors = await sql`select from connectors where tenant_id = ${tenantId} and name = 'Contractors'`.execute(tx)
    if (definition && contractors.rows.length === 0)
      await createConnector(tx, { tenantId, definition, name: 'Contractors', properties: {}, enabled: true }, { secrets, by })
  })

/** A number from a number, so that fields do not go in step with each other. */
const mix = (salt: string) => sql`(hashtext(n || ${sql.lit(salt)}) & 2147483647)`

const addChunk = async (db: Db, tenantId: string, { from, to }: { from: number; to: number }): Promise<void> => {
  await sql`
    with given as (select array['Amara','Lars','Ingrid','Mateo','Fatima','Zainab','Mei','Tomasz','Björn','Priya','Lucía','Chloé','José','Иван','Noah',
      'Aoife','Bao','Carla','Dmitri','Elif','Farid','Greta','Hana','Idris','Jonas','Kofi','Leila','Marta','Nadia','Omar'] as names),
    family as (select
      array['Al','Bar','Cal','Dor','El','Far','Gar','Hol','Ist','Jor','Kal','Lin','Mor','Nor','Ost','Per','Quin','Ros','Sal','Tor','Ul','Val','Wal','Yor','Zel'] as heads,
      array['ba','den','fi','gar','hal','ki','lo','man','ne','ra','sti','ta','ve','wi','zo'] as middles,
      array['dottir','ez','ini','ka','ley','mann','nen','off','quist','sen','ski','son','ton','vich','yan'] as tails),
    site as (select array_agg(id order by name) as ids, array_agg(name order by name) as names from sites where tenant_id = ${tenantId} and active),
    connector as (select array_agg(id order by (ingestion_type = 'manual'), id) as ids from connectors where tenant_id = ${tenantId} and kind = 'source'),
    person as (
      select n,
        g.names[1 + ${mix('given')} % array_length(g.names, 1)] as given_name,
        f.heads[1 + ${mix('head')} % array_length(f.heads, 1)] || f.middles[1 + ${mix('middle')} % array_length(f.middles, 1)]
          || f.tails[1 + ${mix('tail')} % array_length(f.tails, 1)] as family_name,
        s.ids[1 + ${mix('site')} % array_length(s.ids, 1)] as site_id, s.names[1 + ${mix('site')} % array_length(s.names, 1)] as location_name,
        -- most people stand in the first source, one in ten in another, one in a hundred was added by hand
        c.ids[case when ${mix('source')} % 100 = 0 then array_length(c.ids, 1) when ${mix('source')} % 10 = 1 then least(2, array_length(c.ids, 1)) else 1 end]
          as connector_id,
        (array['Kitchen','Logistics','Finance','Store operations','Engineering'])[1 + ${mix('job')} % 5] as department,
        (array['Line cook','Forklift driver','Accountant','Sales assistant','Data analyst'])[1 + ${mix('job')} % 5] as title,
        ${mix('state')} % 17 <> 0 as active, ${mix('email')} % 3 = 0 as desk, ${mix('claim')} % 4 as claim, ${mix('start')} % 5000 as days
      from generate_series(${from}::integer, ${to}::integer) n, given g, family f, site s, connector c
    )
    insert into users (
      tenant_id, id, connector_id, site_id, external_id, employee_number, given_name, family_name, display_name, title, department, location_name,
      work_email, access_code_delivery, start_date, active, deactivated_at, claim_state, base, created_at, updated_at
    )
    select ${tenantId}, gen_random_uuid(), p.connector_id, p.site_id, 'SEED-' || p.n, (500000 + p.n)::text, p.given_name, p.family_name,
      p.given_name || ' ' || p.family_name, p.title, p.department, p.location_name,
      case when p.desk then 'seed.' || p.n || '@northwind.example' end, case when p.desk then 'email.work' else 'none' end,
      date '2012-01-01' + p.days, p.active, case when not p.active then now() end,
      (array['awaitingInvitation','invited','claimed','claimed'])[1 + p.claim],
      jsonb_build_object('externalId', 'SEED-' || p.n, 'givenName', p.given_name, 'familyName', p.family_name, 'active', p.active),
      now(), now()
    from person p
    on conflict on constraint users_external_id_unique do nothing`.execute(db)
}

/**
 * Puts invented people into a tenant, as if they had been added by hand, in one statement a chunk; they owe no account to any target. A hundred
 * thousand or more are spread over stores of two thousand, ten to a region. The same people every time.
 */
export const seedPeople = async (db: Db, crowd: Crowd): Promise<void> => {
  const { tenantId, users, onProgress } = crowd
  if (users >= LARGE) await makeStores(db, crowd)
  for (let from = 1; from <= users; from += CHUNK) {
    const to = Math.min(users, from + CHUNK - 1)
    await addChunk(db, tenantId, { from, to })
    onProgress(to)
  }
  // index-only scans need to know which pages everybody sees
  await sql`vacuum analyze users`.execute(db)
}
