import type { CaseKind } from '@instep/contract/match-cases.ts'
import type { LookupKeyKind } from '@instep/contract/matching.ts'
import type { Candidate } from './match.rules.ts'
import type { Asked, Match } from './plan.ts'
import type { Reason } from './plan-row.ts'

/** The columns of `met` for one record; all null where nobody was met. */
export type MetCells = [
  verdict: 'link' | 'case' | 'note' | 'ignore' | null,
  foundBy: LookupKeyKind | null,
  caseId: string | null,
  kind: CaseKind | null,
  reopens: boolean | null,
  candidates: Candidate[] | null,
]

const byExternalId = ({ foundBy }: Candidate): boolean => foundBy.some((by) => by === 'taken' || by === 'ExternalId')

/** The sentence of a case's conflict: its kind, and the one who was found first. */
const reasonOf = (kind: CaseKind, [first, ...others]: readonly Candidate[]): Reason => {
  if (!first) return { code: kind }
  const { displayName: name, connectorName: connector } = first
  const sameId = byExternalId(first)
  if (kind === 'ambiguous') return { code: kind, params: { people: others.length + 1 } }
  if (kind === 'adopt') return sameId ? { code: kind, field: 'externalId', params: { name } } : { code: 'adoptByKey', params: { name } }
  if (kind === 'otherConnector')
    return sameId
      ? { code: kind, field: 'externalId', params: { name, connector } }
      : { code: 'otherConnectorByKey', params: { name, connector } }
  return { code: kind, params: { name } }
}

/** What the search for people says about a record. */
export const readMet = ([verdict, foundBy, caseId, kind, reopens, candidates]: MetCells): Partial<Match> => {
  if (verdict === 'link' && foundBy) return { note: { code: `matchedBy${foundBy}` } }
  if (verdict === 'ignore') return { ignored: true }
  const [first] = candidates ?? []
  if (verdict === 'note' && first)
    return { note: { code: 'looksLike', params: { name: first.displayName, connector: first.connectorName } } }
  if (verdict !== 'case' || !caseId || !kind || !candidates) return {}
  const asked: Asked = { caseId, kind, reopens: reopens === true, candidates, reason: reasonOf(kind, candidates) }
  return { asked }
}
