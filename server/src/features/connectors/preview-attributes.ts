import type { AccountDocument, Target, TargetUser } from '@instep/connectors/kit/target.ts'
import type { AttributeRules } from '@instep/contract/attribute-rules.ts'
import type { previewAttributeRules } from '@instep/contract/conformance.ts'
import type { ResponseOf } from '@instep/contract/endpoint.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { samplePerson } from '../provisioning/public.ts'
import { asTargetProblem } from './test-connector.ts'

type Preview = ResponseOf<typeof previewAttributeRules>

const isMembers = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Every value of a document under its path; entries of lists are told apart by their type. */
const flatten = (value: unknown, path: string): [string, string][] => {
  if (Array.isArray(value))
    return value.flatMap((entry: unknown, place) => {
      const type = isMembers(entry) ? entry['type'] : undefined
      return flatten(entry, typeof type === 'string' ? `${path}[type eq ${JSON.stringify(type)}]` : `${path}[${place}]`)
    })
  if (!isMembers(value)) return [[path, String(value)]]
  const joint = path === '' ? '' : path.startsWith('urn:') && !/:[A-Z]\w*:/.test(path) ? ':' : '.'
  return Object.entries(value).flatMap(([name, member]) => flatten(member, `${path}${joint}${name}`))
}

const valuesOf = (document: AccountDocument): Map<string, string> => {
  const { schemas: _, ...rest } = document
  return new Map(flatten(rest, '').filter(([path]) => !/\]\.(type|primary)$/.test(path)))
}

/** What a target would send of a person. Throws TARGET_UNREACHABLE where its settings cannot be used. */
const sentBy = async (open: () => Promise<Target>, person: TargetUser): Promise<Map<string, string>> => {
  let target: Target | undefined
  try {
    target = await open()
    return valuesOf(target.documentOf(person))
  } catch (error) {
    throw asTargetProblem(error)
  } finally {
    await target?.close()
  }
}

/**
 * What rules would make of one person, beside what is sent now. Throws NOT_FOUND and TARGET_UNREACHABLE.
 *
 * @param open the target with its stored settings and the given rules instead of those in force
 */
export const previewAttributes = async (
  db: Db,
  { tenantId, userId, rules }: { tenantId: string; userId: string | undefined; rules: AttributeRules },
  open: (rules?: AttributeRules) => Promise<Target>,
): Promise<Preview> => {
  const person = await samplePerson(db, { tenantId, userId })
  if (!person) {
    if (userId !== undefined) throw problem('NOT_FOUND')
    return { person: null, attributes: [] }
  }
  const [before, after] = [await sentBy(open, person), await sentBy(() => open(rules), person)]
  const paths = [...new Set([...after.keys(), ...before.keys()])]
  return {
    person: { id: person.userId, displayName: person.fields.displayName ?? '' },
    attributes: paths.map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null })),
  }
}
