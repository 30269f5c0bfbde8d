import { type CaseKind, MAX_ANSWERS, type PreviewedAnswer } from '@instep/contract/match-cases.ts'
import type { ProblemCode } from '@instep/contract/problem.ts'
import type { EventActor } from '../../platform/audit/record-event.ts'
import { Problem } from '../../platform/http/problem.ts'
import { type Answer, answerCase } from './answer-case.ts'
import { type CasePerson, type CaseRow, findCasePeople, findCases, listCases } from './cases.views.ts'
import type { SyncDeps } from './sync-deps.ts'

interface Asked {
  readonly tenantId: string
  readonly kind: CaseKind
  readonly decision: Answer['decision']
  readonly connectorId?: string | undefined
}

const previewed = (found: CaseRow, decision: Answer['decision'], people: readonly CasePerson[]): PreviewedAnswer => {
  const [only] = people
  const person = decision === 'link' && only ? { displayName: only.displayName, connectorName: only.connectorName } : null
  const refusal = decision === 'link' ? (only?.linkRefusal ?? null) : decision === 'create' && found.idTaken ? 'CASE_ID_TAKEN' : null
  return { caseId: found.id, displayName: found.displayName, person, refusal }
}

/** What one answer to the open cases of a kind would do, oldest first; a link means those with exactly one candidate. Changes nothing. */
export const previewAnswers = async ({ db }: SyncDeps, { tenantId, kind, decision, connectorId }: Asked) => {
  const open = await listCases(db, { tenantId, state: 'open', kind, connectorId, limit: MAX_ANSWERS + 1 })
  const caseIds = open
    .slice(0, MAX_ANSWERS)
    .filter(({ candidates }) => decision !== 'link' || candidates === 1)
    .map(({ id }) => id)
  const [cases, people] = await Promise.all([
    findCases(db, { tenantId, caseIds }),
    decision === 'link' ? findCasePeople(db, { tenantId, caseIds }) : [],
  ])
  const answers = cases.map((found) =>
    previewed(
      found,
      decision,
      people.filter(({ caseId }) => caseId === found.id),
    ),
  )
  return { answers, more: open.length > MAX_ANSWERS }
}

/** Answers cases alike, each in a transaction of its own; whichever cannot be answered so is left as it is and told. */
export const answerCases = async (
  deps: SyncDeps,
  given: { tenantId: string; caseIds: readonly string[]; answer: Answer; by: EventActor; correlationId: string },
) => {
  const { caseIds, ...act } = given
  const refused: { caseId: string; code: ProblemCode }[] = []
  const distinct = [...new Set(caseIds)]
  for (const caseId of distinct) {
    try {
      await answerCase(deps, { ...act, caseId })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused.push({ caseId, code: error.code })
    }
  }
  return { answered: distinct.length - refused.length, refused }
}
