import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.ts'

export const PASSWORD_MIN = 12
export const PASSWORD_MAX = 128

/** Why a password is refused. */
export type PasswordProblem = 'short' | 'long' | 'common' | 'personal'

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const unmask = (text: string): string => text.replace(/[0134578@$!]/g, (mark) => LOOK_ALIKES[mark] ?? mark)

/** `abcabcabcabc`, `111111111111`: a short piece said again and again. */
const repeats = (text: string): boolean => /^(.{1,4})\1+.{0,3}$/u.test(text)

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn',
]

/** Whether the text is one walk over the alphabet, the digits or a keyboard, forwards or backwards. */
const isRun = (text: string): boolean => RUNS.some((run) => run.includes(text) || [...run].reverse().join('').includes(text))

/** A common word with digits and marks around it, such as `Password2026!!`. */
const isDressedWord = (text: string): boolean => {
  const bare = text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const core = unmask(text).replace(/[^a-z]/g, '')
  return COMMON_WORDS.has(bare) || COMMON_WORDS.has(core) || COMMON_WORDS.has(unmask(text.replace(/[\d\W_]+$/, '')))
}

const isCommon = (password: string): boolean => {
  const folded = password.toLowerCase()
  return COMMON_PASSWORDS.has(folded) || COMMON_PASSWORDS.has(unmask(folded)) || repeats(folded) || isRun(folded) || isDressedWord(folded)
}

const isPersonal = (password: string, about: readonly string[]): boolean => {
  const folded = password.toLowerCase()
  const pieces = about
    .flatMap((text) => [text.toLowerCase(), ...text.toLowerCase().split(/[\s@._-]+/)])
    .filter((piece) => piece.length >= 4)
  return pieces.some((piece) => folded.includes(piece) && folded.length - piece.length < PASSWORD_MIN - 4)
}

/**
 * Judges a new password by length, by what people commonly choose and by what is known about the person. There are no
 * rules about kinds of characters (OWASP ASVS 5.0, 6.2.5).
 *
 * @param about the person's name and address
 * @returns why it is refused, or undefined when it is good
 */
export const passwordProblem = (password: string, about: readonly string[] = []): PasswordProblem | undefined => {
  const length = [...password].length
  if (length < PASSWORD_MIN) return 'short'
  if (length > PASSWORD_MAX) return 'long'
  if (isPersonal(password, about)) return 'personal'
  return isCommon(password) ? 'common' : undefined
}
