import { useState } from 'react'
import type { TypedPerson } from './typed-person.rules.ts'
import type { FieldWords } from './use-field-words.ts'
import { type Checked, type FieldProblem, type FormKey, problemsOf } from './user-form.problems.ts'
import { readUnit, sameValue, type Unit, type UnitValue } from './user-form.units.ts'

// what is empty is found fault with when it is saved, the rest as soon as an input is left
const WAITS_FOR_SAVE = new Set<FieldProblem>(['enter', 'select', 'selectDate', 'askDate'])

interface Refusal {
  readonly text: string
  /** What was refused: another value is not. */
  readonly value: UnitValue
}

const valueAt = (typed: TypedPerson, key: FormKey): UnitValue => {
  // of somebody new it is taken with its prefix
  if (key === 'externalId' && !typed.before) return typed.form.employeeIdPrefix + typed.form.externalId
  return key === 'overrideReason' || key === 'overrideUntil' ? typed[key] : readUnit(typed.form, key as Unit)
}

/** What is wrong with the form, and what of it is said by now: found here, or by the server at the last save. */
export const useFormProblems = (typed: TypedPerson, { checked, words }: { checked: Checked; words: FieldWords }) => {
  const [attempted, setAttempted] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<FormKey>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<FormKey, Refusal>>(new Map())
  const problems = problemsOf(checked)
  const standing = [...refused].filter(([key, { value }]) => sameValue(value, valueAt(typed, key)))
  const refusalAt = (key: FormKey) => standing.find(([refusedKey]) => refusedKey === key)?.[1].text
  return {
    problems,
    /** How many inputs need attention, as far as that is said yet. */
    attention: new Set([...(attempted ? problems.keys() : []), ...standing.map(([key]) => key)]).size,
    /** An input was left. */
    leave: (key: FormKey) => setLeft((keys) => (keys.has(key) ? keys : new Set([...keys, key]))),
    /** From now on everything is said. */
    attempt: () => setAttempted(true),
    /** What the server found fault with; it holds until the input changes. */
    refuse: (fields: ReadonlyMap<FormKey, string>) =>
      setRefused(new Map([...fields].map(([key, text]) => [key, { text, value: valueAt(typed, key) }]))),
    /** What is said beside an input. */
    problemAt: (key: FormKey): string | undefined => {
      const problem = problems.get(key)
      const said = problem && (attempted || (left.has(key) && !WAITS_FOR_SAVE.has(problem)))
      return said ? words.problemOf(problem, words.labelOf(key, typed.form)) : refusalAt(key)
    },
    /** Whether one of these inputs needs attention, so that it must be in view. */
    hasProblem: (keys: readonly FormKey[]): boolean => keys.some((key) => (attempted && problems.has(key)) || refusalAt(key) !== undefined),
  }
}
