/** Month names as HR files write them, folded (lower case, no accents), in English, French and German, whole and shortened. */
const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'janvier', 'janv', 'januar', 'janner', 'jaenner'],
  ['february', 'feb', 'fevrier', 'fevr', 'fev', 'februar', 'feber'],
  ['march', 'mar', 'mars', 'marz', 'maerz', 'mrz'],
  ['april', 'apr', 'avril', 'avr'],
  ['may', 'mai'],
  ['june', 'jun', 'juin', 'juni'],
  ['july', 'jul', 'juillet', 'juil', 'juli'],
  ['august', 'aug', 'aout', 'aou'],
  ['september', 'sep', 'sept', 'septembre'],
  ['october', 'oct', 'octobre', 'oktober', 'okt'],
  ['november', 'nov', 'novembre'],
  ['december', 'dec', 'decembre', 'dezember', 'dez'],
]

const BY_NAME = new Map(MONTHS.flatMap((names, index) => names.map((name) => [name, index + 1] as const)))

/** 1 to 12, or undefined for a word that names no month. */
export const monthOf = (word: string): number | undefined => BY_NAME.get(word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''))
