import * as contract from '@instep/contract/match-cases.ts'
import { getMatching, updateMatching as updateEndpoint } from '@instep/contract/matching.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { answerCase, takeBackAnswer } from './answer-case.ts'
import { answerCases, previewAnswers } from './answer-cases.ts'
import { type CaseRow, countOpenCases, findCasePeople, findCases, listCases } from './cases.views.ts'
import { findSource } from './connector-config.store.ts'
import { planAgain } from './decide-run.ts'
import { eventActor } from './event-actor.ts'
import { matchingInForce, updateMatching } from './matching-config.ts'
import { shownRun } from './runs.views.ts'
import type { SyncDeps } from './sync-deps.ts'

const SHOWN_PEOPLE = 5

const presentCase = (row: CaseRow): contract.MatchCase => ({
  id: row.id,
  connectorId: row.connectorId,
  connectorName: row.connectorName,
  kind: row.kind,
  state: row.state,
  sourceKey: row.sourceKey,
  displayName: row.displayName,
  employeeId: row.employeeId,
  candidates: row.candidates,
  openedAt: row.openedAt.toISOString(),
  runId: row.runId,
  decision: row.decision,
  decidedBy: row.decidedBy,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  reason: row.reason,
  closedBecause: row.closedBecause,
})

const viewCase = async (
  { db }: SyncDeps,
  { tenantId, caseId }: { tenantId: string; caseId: string },
): Promise<contract.MatchCaseDetail> => {
  const [found] = await findCases(db, { tenantId, caseIds: [caseId] })
  if (!found) throw problem('NOT_FOUND')
  const people = await findCasePeople(db, { tenantId, caseIds: [caseId] })
  return {
    ...presentCase(found),
    rowNumber: found.rowNumber,
    raw: found.record.raw.map(([column, text]) => ({ column, text })),
    values: found.record.values,
    people: people.slice(0, SHOWN_PEOPLE).map(({ caseId: _, ...person }) => person),
    createRefusal: found.idTaken ? 'CASE_ID_TAKEN' : null,
  }
}

const matchingRoutes = (deps: SyncDeps): Route[] => [
  route(getMatching, ({ tenantId, params }) => matchingInForce(deps.db, { tenantId, connectorId: params.connectorId })),
  route(updateEndpoint, ({ tenantId, params, body, actor, correlationId }) =>
    updateMatching(deps, { tenantId, connectorId: params.connectorId, matching: body, by: eventActor(actor), correlationId }),
  ),
]

const readingRoutes = (deps: SyncDeps): Route[] => [
  route(contract.listCases, async ({ tenantId, query }) => {
    const { pageSize, continuationToken, connectorId, state, kind } = query
    if (connectorId && !(await findSource(deps.db, { tenantId, connectorId }))) throw problem('NOT_FOUND')
    const scope = ['sync.cases', tenantId, connectorId ?? null, state, kind ?? null]
    const after = continuationToken ? String(deps.continuation.decode(scope, continuationToken)[0]) : undefined
    const [rows, kinds] = await Promise.all([
      listCases(deps.db, { tenantId, connectorId, state, kind, after, limit: pageSize + 1 }),
      countOpenCases(deps.db, { tenantId, connectorId }),
    ])
    const data = rows.slice(0, pageSize).map(presentCase)
    return {
      data,
      continuationToken: rows.length > pageSize ? deps.continuation.encode(scope, [data.at(-1)?.id]) : null,
      open: kinds.reduce((sum, { count }) => sum + count, 0),
      kinds,
    }
  }),
  route(contract.getCase, ({ tenantId, params }) => viewCase(deps, { tenantId, caseId: params.caseId })),
  route(contract.previewAnswers, async ({ tenantId, body }) => {
    const { connectorId } = body
    if (connectorId && !(await findSource(deps.db, { tenantId, connectorId }))) throw problem('NOT_FOUND')
    return previewAnswers(deps, { tenantId, ...body })
  }),
]

const answeringRoutes = (deps: SyncDeps): Route[] => [
  route(contract.answerCase, async ({ tenantId, params, body, actor, correlationId }) => {
    const { caseId } = params
    await answerCase(deps, { tenantId, caseId, answer: body, by: eventActor(actor), correlationId })
    return viewCase(deps, { tenantId, caseId })
  }),
  route(contract.takeBackAnswer, async ({ tenantId, params, actor, correlationId }) => {
    const { caseId } = params
    await takeBackAnswer(deps, { tenantId, caseId, by: eventActor(actor), correlationId })
    return viewCase(deps, { tenantId, caseId })
  }),
  route(contract.answerCases, ({ tenantId, body, actor, correlationId }) =>
    answerCases(deps, { tenantId, caseIds: body.caseIds, answer: body.answer, by: eventActor(actor), correlationId }),
  ),
  route(contract.planAgain, async ({ tenantId, params, actor }) => {
    const key = { tenantId, runId: params.runId }
    await planAgain(deps, { ...key, by: eventActor(actor) })
    return shownRun(deps.db, key)
  }),
]

/** The calls of matching: how records find their people, and who decides where that is not clear. */
export const casesRoutes = (deps: SyncDeps): Route[] => [...matchingRoutes(deps), ...readingRoutes(deps), ...answeringRoutes(deps)]
