import { formFieldAt } from '@instep/contract/form-fields.ts'
import { createUser, type UserConflict, updateUser } from '@instep/contract/user-edits.ts'
import { formOf, type UserForm } from '@instep/contract/user-form.ts'
import { getUser, type UserDetails } from '@instep/contract/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '../../api/api-context.tsx'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { loadPhoneReader } from './phone-reader.ts'
import { inputFor, pendingOverrides, type TypedPerson } from './typed-person.rules.ts'
import type { PersonEditor } from './use-person-editor.ts'
import { useTitleCheck } from './use-title-check.ts'
import type { FormKey } from './user-form.problems.ts'
import { contactOf } from './user-form.rules.ts'

/** By input what the server found fault with, and whether it found anything that no input shows. */
const refusals = (problem: ApiProblem, text: string): { fields: Map<FormKey, string>; rest: boolean } => {
  if (problem.code === 'EMFB013') return { fields: new Map([['externalId', text]]), rest: false }
  const fields = new Map<FormKey, string>()
  let rest = Object.keys(problem.fields).length === 0
  for (const [path, [message = '']] of Object.entries(problem.fields)) {
    const [, claim] = /^extension\.claimFields\.(.+)$/.exec(path) ?? []
    const at = path === 'overrideUntil' || path === 'overrideReason' ? path : claim ? (`claim.${claim}` as const) : formFieldAt(path)
    if (at) fields.set((at === 'managerReferenceType' ? 'manager' : at) as FormKey, message)
    else rest = true
  }
  return { fields, rest }
}

/** Saves the form once at a time; tells what kept it from being saved. */
export const useSavePerson = (editor: PersonEditor, onSaved: (user: UserDetails) => void) => {
  const api = useApi()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const checkTitle = useTitleCheck()
  const sending = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [conflict, setConflict] = useState<UserConflict | null>(null)
  // grows with every save that the form itself refuses, so that focus can go to what is wrong
  const [refused, setRefused] = useState(0)

  const phoneOf = async ({ before, form, opened, phoneCountry }: TypedPerson): Promise<string | null> => {
    if (contactOf(form) !== 'phoneNumber' || (before && form.phoneNumber === opened.phoneNumber)) return null
    const read = editor.readPhone ?? (await loadPhoneReader().catch(() => undefined))
    return read?.(form.phoneNumber, before ? undefined : phoneCountry) ?? null
  }

  const call = async (typed: TypedPerson): Promise<UserDetails> => {
    const { before, form } = typed
    const body = inputFor(typed, { overrides: pendingOverrides(typed).length > 0, claims: editor.claims, phone: await phoneOf(typed) })
    if (!before) return api.call(createUser, { params: { connectorId: form.connectorId }, body })
    if (Object.keys(body).length === 0) return before
    return api.call(updateUser, { params: { connectorId: before.connectorId, id: before.id }, body, ifMatch: before.version })
  }

  const fail = (error: unknown) => {
    if (!(error instanceof ApiProblem)) return setFailure(error)
    if (error.code === 'USER_CHANGED') return setConflict(error.current as UserConflict)
    const { fields, rest } = refusals(error, problemText(error))
    editor.refuse(fields)
    if (fields.size > 0) setRefused((times) => times + 1)
    if (rest) setFailure(error)
  }

  const send = async (typed: TypedPerson): Promise<void> => {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setFailure(null)
    try {
      // a department that was typed last may not have been held against the position yet
      const checked = await checkTitle(typed)
      if (checked(typed).form.title !== typed.form.title) {
        editor.changeTyped(checked)
        return setRefused((times) => times + 1)
      }
      const user = await call(typed)
      cache.setQueryData(endpointKey(getUser, { params: { connectorId: user.connectorId, id: user.id } }), user)
      onSaved(user)
    } catch (error) {
      fail(error)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return {
    busy,
    failure,
    conflict,
    refused,
    save: (): void => {
      editor.attempt()
      if (editor.problems.size > 0) setRefused((times) => times + 1)
      else void send(editor.typed)
    },
    /** Saves what was merged on top of what stands there now. */
    saveMerged: (form: UserForm): void => {
      if (!conflict) return
      const typed = { ...editor.typed, before: conflict.user, opened: formOf(conflict.user), form, titleFor: form.department }
      editor.changeTyped(typed)
      setConflict(null)
      void send(typed)
    },
    leaveConflict: () => setConflict(null),
  }
}

export type SavePerson = ReturnType<typeof useSavePerson>
