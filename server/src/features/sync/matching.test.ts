import { DEFAULT_MATCHING, type Matching } from '@instep/contract/matching.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type Answer, answerCase, takeBackAnswer } from './answer-case.ts'
import { answerCases, previewAnswers } from './answer-cases.ts'
import { findCasePeople, listCases } from './cases.views.ts'
import { planAgain, rejectRun } from './decide-run.ts'
import { updateMatching } from './matching-config.ts'
import { ADMIN, csvOf, type SyncWorld, syncWorld } from './testing/sync-world.ts'

const HEADER = ['id', 'number', 'first', 'last', 'work', 'home', 'phone', 'born', 'type', 'login', 'reference']
const MAPPING: Mapping = {
  fields: {
    externalId: { column: 'id' },
    employeeNumber: { column: 'number' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    workEmail: { column: 'work' },
    personalEmail: { column: 'home' },
    personalPhone: { column: 'phone' },
    dateOfBirth: { column: 'born', dateFormat: 'YMD' },
    employmentType: { column: 'type' },
    userName: { column: 'login' },
    externalReferenceId: { column: 'reference' },
  },
}

type Row = Partial<Record<'number' | 'first' | 'last' | 'work' | 'home' | 'phone' | 'born' | 'type' | 'login' | 'reference', string>>
/** A record of somebody whom no likeness connects to anybody else. */
const row = (id: string, given: Row = {}): string[] => {
  const all: Record<string, string> = { id, number: `N-${id}`, first: `First ${id}`, last: `Last ${id}`, ...given }
  return HEADER.map((column) => all[column] ?? '')
}

let world: SyncWorld
let manualId: string

beforeAll(async () => {
  world = await syncWorld()
  manualId = uuidv7()
  await sql`insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type)
    values (${world.tenantId}, ${manualId}, 'By hand', 'manual', 'source', 'manual')`.execute(world.deps.db)
  await sql`update connectors set definition_id = 'file' where id = ${world.otherConnectorId}`.execute(world.deps.db)
})
afterAll(() => world.close())
beforeEach(async () => {
  const { db } = world.deps
  await sql`update runs set state = 'rejected', finished_at = now() where state in ('planned', 'held')`.execute(db)
  await sql`truncate match_cases, source_links, target_accounts, plan_rows, staged_records, connector_versions, user_overrides, users cascade`.execute(
    db,
  )
  await sql`update connectors set config_version = null`.execute(db)
})

const plan = (rows: readonly string[][]) => world.plan(csvOf([HEADER, ...rows]), MAPPING)
const load = (rows: readonly string[][]) => world.sync(csvOf([HEADER, ...rows]), MAPPING)
const told = async (run: { id: string }): Promise<string[]> =>
  (await world.rows(run)).map(({ kind, sourceKey, reasons }) => [kind, sourceKey, ...reasons.map(({ code }) => code)].join(' '))
const matchBy = (change: Partial<Matching>) =>
  updateMatching(world.deps, {
    tenantId: world.tenantId,
    connectorId: world.connectorId,
    matching: { ...DEFAULT_MATCHING, ...change },
    by: ADMIN,
    correlationId: 'c',
  })
const addPerson = async (connectorId: string, externalId: string, columns: Record<string, unknown> = {}): Promise<string> => {
  const id = uuidv7()
  await sql`
    insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, base, created_at, updated_at)
    values (${world.tenantId}, ${id}, ${connectorId}, ${externalId}, 'Man', 'Ual', 'Man Ual', '{"active": true}', now(), now())`.execute(
    world.deps.db,
  )
  for (const [column, value] of Object.entries(columns))
    await sql`update users set ${sql.ref(column)} = ${value} where id = ${id}`.execute(world.deps.db)
  return id
}
const openCases = () => listCases(world.deps.db, { tenantId: world.tenantId, state: 'open', limit: 100 })
const onlyCase = async () => {
  const [one, ...others] = await openCases()
  if (!one || others.length > 0) throw new Error(`there are ${others.length + (one ? 1 : 0)} cases`)
  return one
}
const act = (caseId: string) => ({ tenantId: world.tenantId, caseId, by: ADMIN, correlationId: 'c' })
const answer = (caseId: string, given: Answer) => answerCase(world.deps, { ...act(caseId), answer: given })

describe('a record is asked about, and neither created nor linked', () => {
  it('when two people have its key', async () => {
    await matchBy({ keys: [{ kind: 'UserName', comparison: 'folded' }] })
    await load([row('E1', { login: 'ada' }), row('E2', { login: 'ADA' })])
    const run = await plan([row('E3', { login: 'Ada' })])
    expect(await told(run)).toEqual(['conflict E1 leaverAsked', 'conflict E2 leaverAsked', 'conflict E3 ambiguous'])
    const found = await onlyCase()
    expect(found).toMatchObject({ kind: 'ambiguous', candidates: 2, sourceKey: 'E3', displayName: 'First E3 Last E3' })
    expect((await world.rows(run)).at(-1)?.caseId).toBe(found.id)
  })

  it('when another record is the person, or means the person too', async () => {
    await matchBy({ keys: [{ kind: 'EmployeeId', comparison: 'normalised' }] })
    await load([row('E1', { number: '7' })])
    expect(await told(await plan([row('E1', { number: '7' }), row('E2', { number: '007' })]))).toEqual(['conflict E2 claimed'])
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: (await lastRun()).id, by: ADMIN })
    const both = await plan([row('E2', { number: '007' }), row('E3', { number: '0-07' })])
    expect(await told(both)).toEqual(['conflict E1 leaverAsked', 'conflict E2 claimed', 'conflict E3 claimed'])
  })

  it('when its key finds somebody of another connector, or made by hand', async () => {
    await matchBy({ keys: [{ kind: 'Email', comparison: 'exact' }] })
    await addPerson(manualId, 'M1', { personal_email: 'a@example.com' })
    await addPerson(world.connectorId, 'M2', { work_email: 'b@example.com' })
    const run = await plan([row('E1', { work: 'a@example.com' }), row('E2', { work: 'b@example.com' })])
    expect(await told(run)).toEqual(['conflict E1 otherConnectorByKey', 'conflict E2 adoptByKey'])
  })

  it.each([
    ['rehire', { active: false }],
    ['contractorToEmployee', { employment_type: 'Contractor' }],
    ['samePerson', {}],
  ])('when a new person looks like somebody: %s', async (kind, columns) => {
    await addPerson(manualId, 'M1', { given_name: 'Ada', family_name: 'Byron', date_of_birth: '1990-05-06', ...columns })
    const same = row('E1', { first: ' ada', last: 'BYRON', born: '1990-05-06', type: 'Employee' })
    expect(await told(await plan([same]))).toEqual([`conflict E1 ${kind}`])
  })
})

describe('a record is matched', () => {
  it('and its run says how many of its rows are somebody’s: linked before, or found by a key', async () => {
    const matched = (run: { stages: readonly { name: string; count: number }[] }) => run.stages.find(({ name }) => name === 'match')?.count
    await matchBy({ keys: [{ kind: 'EmployeeId', comparison: 'exact' }] })
    expect(matched(await load([row('E1', { number: '1' }), row('E2', { number: '2' })]))).toBe(0)
    expect(matched(await plan([row('E1', { number: '1' }), row('F2', { number: '2' }), row('E3'), row('')]))).toBe(2)
  })

  it('by the first key that finds anybody: the person keeps their id, takes the new key, and does not leave', async () => {
    await matchBy({
      keys: [
        { kind: 'ExternalReferenceId', comparison: 'exact' },
        { kind: 'EmployeeId', comparison: 'exact' },
      ],
    })
    await load([row('E1', { number: '7' }), row('E2')])
    const before = await world.people()
    const run = await plan([row('X1', { number: '7', last: 'New' }), row('E2')])
    expect(await told(run)).toEqual(['update X1 matchedByEmployeeId'])
    expect(await world.apply(run)).toMatchObject({ state: 'succeeded', applied: 1 })
    const after = await world.people()
    expect(after.get('X1')?.id).toBe(before.get('E1')?.id)
    expect(after.size).toBe(2)
    expect((await plan([row('X1', { number: '7', last: 'New' }), row('E2')])).counts).toMatchObject({ unchanged: 2, update: 0 })
  })

  it('to somebody who had left, who comes back', async () => {
    await matchBy({ keys: [{ kind: 'EmployeeId', comparison: 'exact' }] })
    await load([row('E1', { number: '7' }), row('E2'), row('E3'), row('E4')])
    await load([row('E2'), row('E3'), row('E4')])
    const run = await plan([row('X1', { number: '7' }), row('E2'), row('E3'), row('E4')])
    expect(await told(run)).toEqual(['reactivate X1 matchedByEmployeeId backInFile'])
  })

  it.each([
    ['exact', 'AB-07', 'create E1'],
    ['folded', ' AB-07 ', 'conflict E1 adoptByKey'],
    ['folded', 'AB7', 'create E1'],
    ['normalised', 'aB.07', 'conflict E1 adoptByKey'],
  ] as const)('%s: %s and ab-07', async (comparison, number, expected) => {
    await matchBy({ keys: [{ kind: 'EmployeeId', comparison }] })
    await addPerson(world.connectorId, 'M1', { employee_number: 'ab-07' })
    expect(await told(await plan([row('E1', { number })]))).toEqual([expected])
  })

  it('but not by a mailbox with another tag', async () => {
    await matchBy({ keys: [{ kind: 'Email', comparison: 'normalised' }], samePerson: { ...DEFAULT_MATCHING.samePerson, act: 'off' } })
    await addPerson(world.connectorId, 'M1', { work_email: 'ada+a@example.com' })
    expect(await told(await plan([row('E1', { work: 'ada+b@example.com' })]))).toEqual(['create E1'])
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: (await lastRun()).id, by: ADMIN })
    expect(await told(await plan([row('E1', { work: 'Ada+A@example.com' })]))).toEqual(['conflict E1 adoptByKey'])
  })

  it('and a likeness is only noted where the connector wants it so', async () => {
    await matchBy({ samePerson: { ...DEFAULT_MATCHING.samePerson, act: 'note' } })
    await addPerson(manualId, 'M1', { personal_phone: '+4420123456' })
    expect(await told(await plan([row('E1', { phone: '+44 20 123456' })]))).toEqual(['create E1 looksLike'])
  })
})

const lastRun = async () => {
  const { rows } = await sql<{ id: string }>`select id from runs order by id desc limit 1`.execute(world.deps.db)
  return rows[0] ?? { id: '' }
}

describe('an answer', () => {
  const rehire = row('X1', { first: 'Ada', last: 'Byron', born: '1990-05-06' })
  const stay = [row('E2'), row('E3'), row('E4')]
  const leaveAndReturn = async () => {
    await load([row('E1', { first: 'Ada', last: 'Byron', born: '1990-05-06' }), ...stay])
    await load(stay)
    return plan([rehire, ...stay])
  }

  it('is refused twice, for a stranger, and for whoever is somebody else already', async () => {
    await leaveAndReturn()
    const { id } = await onlyCase()
    const [, other] = [...(await world.people()).values()]
    await expect(answer(id, { decision: 'link', userId: other?.id ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await answer(id, { decision: 'create' })
    await expect(answer(id, { decision: 'create' })).rejects.toMatchObject({ code: 'CASE_STATE_WRONG' })
  })

  it('cannot give an external id to a second person, nor take somebody whom another source keeps', async () => {
    await addPerson(world.otherConnectorId, 'E1')
    await plan([row('E1')])
    const { id } = await onlyCase()
    await expect(answer(id, { decision: 'create' })).rejects.toMatchObject({ code: 'CASE_ID_TAKEN' })
    await expect(answer(id, { decision: 'link' })).rejects.toMatchObject({ code: 'CASE_PERSON_ELSEWHERE' })
    const [person] = await findCasePeople(world.deps.db, { tenantId: world.tenantId, caseIds: [id] })
    expect(person?.linkRefusal).toBe('CASE_PERSON_ELSEWHERE')
  })

  it('links a rehire: the plan made again reactivates the same person under the new key', async () => {
    const run = await leaveAndReturn()
    const person = (await world.people()).get('E1')
    await answer((await onlyCase()).id, { decision: 'link' })
    await planAgain(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    const again = await world.until(run.id, ['planned'])
    expect(await told(again)).toEqual(['reactivate X1 linkedByAnswer backInFile'])
    await world.apply(again)
    expect((await world.people()).get('X1')).toMatchObject({ id: person?.id, active: true })
    expect((await world.people()).size).toBe(4)
    expect(await openCases()).toEqual([])
    const { rows } = await sql<{
      type: string
    }>`select type from events where subject_id = ${person?.id ?? ''} order by id desc limit 2`.execute(world.deps.db)
    expect(rows.map(({ type }) => type)).toEqual(['user.reactivated', 'user.linked'])
  })

  it('adopts somebody made by hand: they come into the connector, and the source counts from then on', async () => {
    const id = await addPerson(manualId, 'E1')
    await plan([row('E1')])
    await answer((await onlyCase()).id, { decision: 'link' })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: (await lastRun()).id, by: ADMIN })
    await load([row('E1')])
    expect((await world.people()).get('E1')).toMatchObject({ id, given_name: 'First E1' })
  })

  it('creates somebody new, once', async () => {
    await leaveAndReturn()
    await answer((await onlyCase()).id, { decision: 'create' })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: (await lastRun()).id, by: ADMIN })
    const run = await plan([rehire, ...stay])
    expect(await told(run)).toEqual(['create X1'])
    await world.apply(run)
    expect((await plan([rehire, ...stay])).counts).toMatchObject({ unchanged: 4 })
    const [answered] = await listCases(world.deps.db, { tenantId: world.tenantId, state: 'answered', limit: 2 })
    await expect(takeBackAnswer(world.deps, act(answered?.id ?? ''))).rejects.toMatchObject({ code: 'CASE_ACTED_ON' })
  })

  it('leaves a record out until it is taken back, with a count', async () => {
    const run = await leaveAndReturn()
    const { id } = await onlyCase()
    await answer(id, { decision: 'ignore', reason: 'a test record' })
    await planAgain(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    expect((await world.until(run.id, ['planned'])).counts).toMatchObject({ ignored: 1, conflict: 0, unchanged: 3 })
    await takeBackAnswer(world.deps, act(id))
    await planAgain(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    expect((await world.until(run.id, ['planned'])).counts).toMatchObject({ ignored: 0, conflict: 1 })
  })

  it('that linked somebody puts them back where they were when it is taken back; not once a run has acted', async () => {
    const person = await addPerson(manualId, 'E1')
    const state = () =>
      sql`select connector_id, external_id, (select count(*)::integer from source_links) as links from users where id = ${person}`
        .execute(world.deps.db)
        .then(({ rows }) => rows)
    const before = await state()
    await plan([row('E1')])
    const { id } = await onlyCase()
    await answer(id, { decision: 'link' })
    expect(await state()).not.toEqual(before)
    await takeBackAnswer(world.deps, act(id))
    expect(await state()).toEqual(before)
    await answer(id, { decision: 'link' })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: (await lastRun()).id, by: ADMIN })
    await load([row('E1')])
    await expect(takeBackAnswer(world.deps, act(id))).rejects.toMatchObject({ code: 'CASE_ACTED_ON' })
  })

  it('makes a waiting plan leave the person alone', async () => {
    await matchBy({ samePerson: { ...DEFAULT_MATCHING.samePerson, act: 'ask' } })
    const person = await addPerson(manualId, 'E1')
    const run = await plan([row('E1')])
    await answer((await onlyCase()).id, { decision: 'link' })
    expect(await world.apply(run)).toMatchObject({ applied: 0, stale: 0 })
    const { rows } = await sql`select given_name from users where id = ${person}`.execute(world.deps.db)
    expect(rows).toEqual([{ given_name: 'Man' }])
  })
})

describe('a case', () => {
  it('closes by itself when its record leaves or nothing is left to ask, and says so; nothing is written where nothing changes', async () => {
    const first = await addPerson(manualId, 'E1')
    await addPerson(manualId, 'E2')
    const run = await plan([row('E1'), row('E2'), row('E3')])
    await world.apply(run)
    const written = () => sql`select xmin::text, id from match_cases order by id`.execute(world.deps.db).then(({ rows }) => rows)
    const before = await written()
    await world.apply(await plan([row('E1'), row('E2'), row('E3')]))
    expect(await written()).toEqual(before)
    await sql`delete from users where id = ${first}`.execute(world.deps.db)
    await plan([row('E1'), row('E3')])
    const closed = await listCases(world.deps.db, { tenantId: world.tenantId, state: 'closed', limit: 10 })
    expect(closed.map(({ sourceKey, closedBecause }) => [sourceKey, closedBecause]).sort()).toEqual([
      ['E1', 'settled'],
      ['E2', 'recordGone'],
    ])
  })

  it('is answered with others of its kind, after a look at what that would do', async () => {
    for (const id of ['E1', 'E2', 'E3']) await addPerson(manualId, id)
    await addPerson(world.otherConnectorId, 'E4')
    await plan(['E1', 'E2', 'E3', 'E4'].map((id) => row(id)))
    const preview = await previewAnswers(world.deps, { tenantId: world.tenantId, kind: 'otherConnector', decision: 'link' })
    expect(preview.answers.map(({ refusal }) => refusal)).toEqual([null, null, null, 'CASE_PERSON_ELSEWHERE'])
    const caseIds = preview.answers.map(({ caseId }) => caseId)
    const done = await answerCases(world.deps, {
      tenantId: world.tenantId,
      caseIds,
      answer: { decision: 'link' },
      by: ADMIN,
      correlationId: 'c',
    })
    expect(done).toEqual({ answered: 3, refused: [{ caseId: caseIds[3], code: 'CASE_PERSON_ELSEWHERE' }] })
  })
})
