import type { ClaimField } from '@instep/contract/settings.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { useState } from 'react'
import { PersonForm } from './person-form.tsx'
import { typedOf } from './typed-person.rules.ts'

/** Under which what was typed about a person is kept. */
export const draftKeyOf = (userId: string): string => `person.${userId}`

interface EditPersonProps {
  person: UserDetails
  claims: readonly ClaimField[]
  onSaved: (user: UserDetails) => void
  onCancel: () => void
  onClose: () => void
}

/** Changes a person, as they were when the form was opened: what others change meanwhile is told when it is saved. */
export function EditPerson({ person, claims, onSaved, onCancel, onClose }: EditPersonProps) {
  const [initial] = useState(() => typedOf(person))
  return (
    <PersonForm
      draftKey={draftKeyOf(person.id)}
      initial={initial}
      claims={claims}
      siteRequired={false}
      onSaved={onSaved}
      onCancel={onCancel}
      onClose={onClose}
    />
  )
}
