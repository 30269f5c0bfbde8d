/** Turns a condition (decisions.md section 5) into one parameterised predicate over `users as u`. */
export { type ConditionMoment, compileCondition, type RarePieces } from './compile-condition.ts'
