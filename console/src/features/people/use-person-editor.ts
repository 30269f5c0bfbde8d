import type { ClaimField } from '@instep/contract/settings.ts'
import type { UserForm } from '@instep/contract/user-form.ts'
import { createContext, useContext, useMemo } from 'react'
import { useDraft } from '../../shared/use-draft.ts'
import { isEditableUnit, isSourced, restoreUnit, sourceBeside, sourceForm } from './override.rules.ts'
import { usePhoneReader } from './phone-reader.ts'
import { isDirty, openRenewals, pendingOverrides, type TypedPerson, withoutRenewal, withRenewal } from './typed-person.rules.ts'
import { useFieldWords } from './use-field-words.ts'
import { useFormProblems } from './use-form-problems.ts'
import { requiredUnits } from './user-form.problems.ts'
import { contactOf } from './user-form.rules.ts'
import { changedUnits, readUnit, sameValue, type Unit, type UnitValue, writeUnit } from './user-form.units.ts'

interface EditorOptions {
  /** Under which the draft is kept. */
  readonly draftKey: string
  readonly initial: TypedPerson
  readonly claims: readonly ClaimField[]
  readonly siteRequired: boolean
}

/** The form of a person while it is open: what was typed, what is wrong with it, what of it stands over the source. */
export const usePersonEditor = ({ draftKey, initial, claims, siteRequired }: EditorOptions) => {
  const { value: typed, change, clear, restored } = useDraft<TypedPerson>(draftKey, initial)
  const { before, form, opened } = typed
  const words = useFieldWords(claims)
  const readPhone = usePhoneReader(contactOf(form) === 'phoneNumber')
  const sourced = before !== null && isSourced(before)
  const source = useMemo(() => (before && sourced ? sourceForm(before) : null), [before, sourced])
  const beside = before && source && sourceBeside(form, source, before)
  const isEditable = (unit: Unit): boolean => before === null || isEditableUnit(before, unit, form.accessCodeDelivery)
  const country = before ? undefined : typed.phoneCountry
  const checked = {
    form,
    opened: before && opened,
    sourced,
    siteRequired,
    isEditable,
    claims,
    isPhone: readPhone && ((number: string) => readPhone(number, country) !== null),
    overrideReason: typed.overrideReason,
    overrideUntil: typed.overrideUntil,
  }
  const update = (next: (form: UserForm) => UserForm) =>
    change((was) => {
      const now = next(was.form)
      const said = changedUnits(now, was.form).some((unit) => unit === 'title' || unit === 'department')
      return { ...was, form: now, clearedFor: said ? null : was.clearedFor }
    })
  return {
    ...useFormProblems(typed, { checked, words }),
    typed,
    form,
    before,
    claims,
    sourced,
    words,
    readPhone,
    restored: restored && isDirty(typed),
    dirty: isDirty(typed),
    clearDraft: clear,
    /** Changes what is beside the form itself. */
    changeTyped: (part: Partial<TypedPerson> | ((was: TypedPerson) => TypedPerson)) =>
      change(typeof part === 'function' ? part : (was) => ({ ...was, ...part })),
    update,
    set: (unit: Unit, value: UnitValue) => update((was) => writeUnit(was, unit, value)),
    isEditable,
    required: requiredUnits(checked),
    pending: pendingOverrides(typed),
    /** Kept overrides whose reason and last day are open for a change. */
    renewing: openRenewals(typed).map(({ unit }) => unit),
    renew: (unit: Unit): void => change((was) => withRenewal(was, unit)),
    leaveTerms: (unit: Unit): void => change((was) => withoutRenewal(was, unit)),
    isOverridden: (unit: Unit): boolean => beside !== null && isEditable(unit) && !sameValue(readUnit(form, unit), readUnit(beside, unit)),
    sourceValue: (unit: Unit): UnitValue => (beside ? readUnit(beside, unit) : null),
    restore: (unit: Unit): void => {
      if (source && beside) update((was) => restoreUnit(was, unit === 'accessCodeDelivery' ? source : beside, unit))
    },
  }
}

export type PersonEditor = ReturnType<typeof usePersonEditor>

const Given = createContext<PersonEditor | null>(null)
/** Gives the form to the inputs below. */
export const EditorProvider = Given

/** The form that the inputs below stand in. */
export const useEditor = (): PersonEditor => {
  const editor = useContext(Given)
  if (!editor) throw new Error('EditorProvider is missing')
  return editor
}
