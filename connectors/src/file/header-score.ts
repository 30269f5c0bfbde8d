import { USER_FIELDS, type UserField, type UserFieldName } from '@instep/contract/user-fields.ts'
import { VENDOR_HEADERS, WHOLE_HEADERS } from './header-spellings.ts'

/** Words that say nothing between others ("date de naissance", "date of birth"). */
const FILLERS = new Set('de d du des la le l of the der die das von del el los las di della do da van het'.split(' '))

/** Words after which a column is about somebody else, or about another thing of the same kind. */
const OTHERS = new Set(
  [
    'manager managers mgr supervisor supervisors boss approver leader leidinggevende jefe gestor responsabile vorgesetzter vorgesetzte fuhrungskraft responsable superieur assistant recruiter',
    'emergency urgence notfall emergencia emergenza noodgeval spouse conjoint dependent child partner',
    'probation modified created updated effective previous former review maiden middle jeunesse',
  ].flatMap((line) => line.split(' ')),
)

/** Words that make "manager …" something other than a reference to a person. */
const NO_REFERENCE = new Set(['name', 'nom', 'prenom', 'first', 'last', 'title', 'phone', 'level', 'is', 'department', 'flag'])

const LEAST_COVER = 0.35

/** The words of a header: lower case, without accents, cut at capitals, `#` and `N°` read as "number". */
export const headerWords = (header: string): string[] => {
  const plain = header.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')
  const spaced = plain.replace(/#|\bN[°º]/gi, ' number ').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Which share of the words one of the spellings makes up, 0 to 1, slightly less for spellings further down the list. */
const cover = (words: readonly string[], spellings: readonly string[]): number => {
  const length = words.join('').length
  let best = 0
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      const joined = words.slice(from, to).join('')
      const rank = spellings.indexOf(joined)
      if (rank !== -1) best = Math.max(best, joined.length / length - rank / 1000)
    }
  }
  return best
}

/** Whether a column is about somebody else, or another thing of the same kind. */
export const isAboutOthers = (header: string): boolean => headerWords(header).some((word) => OTHERS.has(word))

/**
 * How well a header names a field, 0 (not at all) to 1 (one of its spellings, and nothing else). Part of a header counts by its length; a header about
 * somebody else (manager's email, emergency phone) counts only as a whole.
 */
export const headerScore = (field: UserFieldName, header: string): number => {
  const { headers, type }: UserField = USER_FIELDS[field]
  const spellings = [...headers, ...(VENDOR_HEADERS[field] ?? [])]
  const words = headerWords(header)
  const telling = words.filter((word) => !FILLERS.has(word))
  const whole = WHOLE_HEADERS[field] ?? []
  if (whole.includes(words.join('')) || whole.includes(telling.join(''))) return 1
  const score = Math.max(cover(words, spellings), cover(telling, spellings))
  if (score > 0.9) return score
  if (score < LEAST_COVER) return 0
  const excluded = type === 'reference' ? NO_REFERENCE : OTHERS
  return words.some((word) => excluded.has(word)) ? 0 : score
}
