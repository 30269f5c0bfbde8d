/** Two people have changed the same person: what of it goes together, and what somebody must decide. Pure. */
import type { UserConflict } from '@instep/contract/user-edits.ts'
import type { UserForm } from '@instep/contract/user-form.ts'
import { unitOfField } from './override.rules.ts'
import { contactOf } from './user-form.rules.ts'
import { changedUnits, readUnit, sameValue, type Unit, type UnitValue, writeUnit } from './user-form.units.ts'

export interface MergedUnit {
  readonly unit: Unit
  /** As both had opened it. */
  readonly base: UnitValue
  readonly mine: UnitValue
  readonly theirs: UnitValue
}

export interface Merge {
  /** Both changed it, each to something else. */
  readonly conflicts: readonly MergedUnit[]
  /** Only the other one changed it: it is taken over. */
  readonly taken: readonly MergedUnit[]
  /** Only I changed it: it stays. */
  readonly kept: readonly MergedUnit[]
}

export type Choice = 'mine' | 'theirs'
export type Choices = Readonly<Partial<Record<Unit, Choice>>>

export interface MergeForms {
  readonly base: UserForm
  readonly mine: UserForm
  readonly theirs: UserForm
}

const isDerived = ({ displayName, givenName, familyName }: UserForm): boolean => displayName === `${givenName} ${familyName}`

/** Compares unit by unit. What both changed to the same is no matter any more, nor is a name that follows given and family name by itself. */
export const compareForms = ({ base, mine, theirs }: MergeForms): Merge => {
  const byMe = new Set(changedUnits(mine, base))
  const byThem = new Set(changedUnits(theirs, base))
  if (isDerived(base) && isDerived(theirs)) byThem.delete('displayName')
  const at = (unit: Unit): MergedUnit => ({ unit, base: readUnit(base, unit), mine: readUnit(mine, unit), theirs: readUnit(theirs, unit) })
  const both = [...byMe].filter((unit) => byThem.has(unit)).map(at)
  return {
    conflicts: both.filter((one) => !sameValue(one.mine, one.theirs)),
    taken: [...byThem].filter((unit) => !byMe.has(unit)).map(at),
    kept: [...byMe].filter((unit) => !byThem.has(unit)).map(at),
  }
}

type ChangeSince = UserConflict['changes'][number]

/** Whether a change is one of this unit. */
export const isChangeOf = (unit: Unit, { field }: Pick<ChangeSince, 'field'>, delivery: UserForm['accessCodeDelivery']): boolean =>
  unit.startsWith('claim.') ? field === 'claimFields' : unitOfField(field, delivery) === unit

/** What else has changed since: a lock, a mark, the terms of an override, a field that the form does not have, and what both made the same. */
export const otherChanges = (changes: readonly ChangeSince[], forms: MergeForms): ChangeSince[] => {
  const { conflicts, taken } = compareForms(forms)
  const shown = [...conflicts, ...taken].map(({ unit }) => unit)
  // a name that follows given and family name changes by itself
  const follows = ({ field }: ChangeSince) => field === 'displayName' && isDerived(forms.theirs)
  return changes.filter((change) => !follows(change) && !shown.some((unit) => isChangeOf(unit, change, forms.theirs.accessCodeDelivery)))
}

const workEmail = ({ accessCodeDelivery }: UserForm): boolean => accessCodeDelivery === 'email.work'

/**
 * The form to save on top of theirs: what they have, with what only I changed and what was chosen of mine. Undefined while a conflict is
 * undecided.
 */
export const mergedForm = (forms: MergeForms, choices: Choices): UserForm | undefined => {
  const { mine, theirs } = forms
  const { conflicts, kept } = compareForms(forms)
  if (conflicts.some(({ unit }) => choices[unit] === undefined)) return undefined
  const chosen = conflicts.filter(({ unit }) => choices[unit] === 'mine')
  const form = [...kept, ...chosen].reduce((merged, { unit, mine: value }) => writeUnit(merged, unit, value), theirs)
  // an address typed as a personal one must not become a work one, or the other way round
  const email = workEmail(form) === workEmail(mine) || contactOf(form) !== 'email' ? form.email : theirs.email
  return { ...form, email }
}
