/** Records whose person somebody has to name: asked in a queue, candidates side by side, and the answer is remembered (decisions.md section 3). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { type ProblemCode, problemCodes } from './problem.ts'
import { TENANT_ADMINS } from './roles.ts'
import { Run } from './sync.ts'

/**
 * Why a record is asked about: several people found (`ambiguous`); one person found for several records (`claimed`); somebody made by hand
 * (`adopt`) or of another connector (`otherConnector`); a key found somebody born on another day (`contradicts`); a new record that looks like
 * somebody inactive (`rehire`), of another employment type (`contractorToEmployee`), or anybody (`samePerson`).
 */
export const CASE_KINDS = [
  'ambiguous',
  'claimed',
  'adopt',
  'otherConnector',
  'contradicts',
  'rehire',
  'contractorToEmployee',
  'samePerson',
] as const
export type CaseKind = (typeof CASE_KINDS)[number]
export const CASE_STATES = ['open', 'answered', 'closed'] as const
export const CASE_DECISIONS = ['link', 'create', 'ignore'] as const
/** Cases that one call answers at most. */
export const MAX_ANSWERS = 200

export const MatchCase = z.object({
  id: Id,
  connectorId: Id,
  connectorName: z.string(),
  kind: z.enum(CASE_KINDS),
  state: z.enum(CASE_STATES),
  sourceKey: z.string(),
  displayName: z.string(),
  employeeId: z.string(),
  /** How many people it may be. */
  candidates: z.number().int(),
  openedAt: Instant,
  /** The run that asked. */
  runId: Id,
  decision: z.enum(CASE_DECISIONS).nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: Instant.nullable(),
  reason: z.string().nullable(),
  /** The record left the source, or nothing is left to be asked. */
  closedBecause: z.enum(['recordGone', 'settled']).nullable(),
})
export type MatchCase = z.infer<typeof MatchCase>

/** Somebody whom the record may be, as the directory has them now. */
export const CaseCandidate = z.object({
  userId: Id,
  connectorId: Id,
  connectorName: z.string(),
  siteName: z.string().nullable(),
  displayName: z.string(),
  active: z.boolean(),
  inactiveSince: Instant.nullable(),
  /** Lookup keys, and likenesses, by which they were found. */
  foundBy: z.array(z.string()),
  values: z.record(z.string(), z.string().nullable()),
  /** Why the record cannot be linked to them; null where it can. */
  linkRefusal: z.enum(problemCodes as [ProblemCode, ...ProblemCode[]]).nullable(),
})
export type CaseCandidate = z.infer<typeof CaseCandidate>

export const MatchCaseDetail = MatchCase.extend({
  rowNumber: z.number().int(),
  /** The record as it came, in the order of its columns. */
  raw: z.array(z.object({ column: z.string(), text: z.string() })),
  /** What the mapping made of it. */
  values: z.record(z.string(), z.string().nullable()),
  /** The best five. */
  people: z.array(CaseCandidate),
  /** Why nobody new can be created from it; null where somebody can. */
  createRefusal: z.enum(problemCodes as [ProblemCode, ...ProblemCode[]]).nullable(),
})
export type MatchCaseDetail = z.infer<typeof MatchCaseDetail>

const who = { roles: TENANT_ADMINS, bit: 'importUsers' } as const
const caseParams = z.object({ tenantId: Id, caseId: Id })
const kind = z.enum(CASE_KINDS)

export const listCases = endpoint({
  id: 'cases.list',
  method: 'GET',
  path: '/connectors/{tenantId}/cases',
  summary: 'Records whose person somebody has to name: open ones by age, others newest first; and how many are open of each kind.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object({ ...pageQuery, state: z.enum(CASE_STATES).default('open'), kind: kind.optional(), connectorId: Id.optional() }),
  response: page(MatchCase).extend({ open: z.number().int(), kinds: z.array(z.object({ kind, count: z.number().int() })) }),
  problems: ['TOKEN_FOREIGN'],
})

export const getCase = endpoint({
  id: 'cases.get',
  method: 'GET',
  path: '/connectors/{tenantId}/cases/{caseId}',
  summary: 'One case: the record as it came and as it was mapped, and the people it may be.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: caseParams,
  response: MatchCaseDetail,
})

const ignoring = z.object({ decision: z.literal('ignore'), reason: upTo(1000, z.string().trim()).min(1) })
const ANSWER_PROBLEMS = ['CASE_STATE_WRONG', 'CASE_PERSON_LINKED', 'CASE_PERSON_ELSEWHERE', 'CASE_ID_TAKEN', 'USER_LOCKED'] as const

export const answerCase = endpoint({
  id: 'cases.answer',
  method: 'POST',
  path: '/connectors/{tenantId}/cases/{caseId}/answer',
  summary: 'Links the record to one of its candidates, has somebody new created, or leaves the record out. The next plan acts by it.',
  who,
  within: 'tenant',
  params: caseParams,
  body: z.discriminatedUnion('decision', [
    z.object({ decision: z.literal('link'), userId: Id }),
    z.object({ decision: z.literal('create') }),
    ignoring,
  ]),
  response: MatchCaseDetail,
  problems: [...ANSWER_PROBLEMS],
})

export const takeBackAnswer = endpoint({
  id: 'cases.takeBack',
  method: 'POST',
  path: '/connectors/{tenantId}/cases/{caseId}/take-back',
  summary: 'Takes an answer back that no run has acted on; the case is open again.',
  who,
  within: 'tenant',
  params: caseParams,
  response: MatchCaseDetail,
  problems: ['CASE_STATE_WRONG', 'CASE_ACTED_ON', 'CASE_ID_TAKEN', 'USER_LOCKED'],
})

/** What answering a case in bulk would do. */
const PreviewedAnswer = z.object({
  caseId: Id,
  displayName: z.string(),
  /** Whom it would be linked to. */
  person: z.object({ displayName: z.string(), connectorName: z.string() }).nullable(),
  refusal: z.enum(problemCodes as [ProblemCode, ...ProblemCode[]]).nullable(),
})
export type PreviewedAnswer = z.infer<typeof PreviewedAnswer>

export const previewAnswers = endpoint({
  id: 'cases.previewAnswers',
  method: 'POST',
  path: '/connectors/{tenantId}/cases/answers/preview',
  summary: 'What one answer to all open cases of a kind would do; linking takes those with exactly one candidate. Changes nothing.',
  who,
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  body: z.object({ kind, decision: z.enum(CASE_DECISIONS), connectorId: Id.optional() }),
  response: z.object({
    answers: z.array(PreviewedAnswer),
    /** Whether there are more than one call answers. */
    more: z.boolean(),
  }),
})

export const answerCases = endpoint({
  id: 'cases.answerAll',
  method: 'POST',
  path: '/connectors/{tenantId}/cases/answers',
  summary: 'Answers the named cases alike; those that cannot be answered so are left open and told.',
  who,
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  body: z.object({
    caseIds: z.array(Id).min(1).max(MAX_ANSWERS),
    answer: z.discriminatedUnion('decision', [
      z.object({ decision: z.literal('link') }),
      z.object({ decision: z.literal('create') }),
      ignoring,
    ]),
  }),
  response: z.object({
    answered: z.number().int(),
    refused: z.array(z.object({ caseId: Id, code: z.enum(problemCodes as [ProblemCode, ...ProblemCode[]]) })),
  }),
})

export const planAgain = endpoint({
  id: 'cases.planAgain',
  method: 'POST',
  path: '/connectors/{tenantId}/runs/{runId}/plan-again',
  summary: 'Makes the plan of a waiting run anew, by the answers given meanwhile.',
  who,
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  response: Run,
  status: 202,
  problems: ['RUN_STATE_WRONG'],
})
