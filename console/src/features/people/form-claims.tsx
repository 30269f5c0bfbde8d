import type { ClaimField } from '@instep/contract/settings.ts'
import { Button } from '@instep/ui/button.tsx'
import { FieldSection } from '@instep/ui/field-section.tsx'
import { useTranslation } from 'react-i18next'
import { DateInput } from './date-input.tsx'
import { TextInput, useInput } from './form-inputs.tsx'
import { useClaimsRetry } from './use-claims.ts'
import { useEditor } from './use-person-editor.ts'

/** The security attributes of the activation portal that are no field of the form; or that they could not be had. */
export function FormClaims() {
  const { t } = useTranslation(['profile', 'common'])
  const { claims } = useEditor()
  const retry = useClaimsRetry()
  if (retry)
    return (
      <FieldSection title={t('claims.title')}>
        <p role="alert">{t('common:fetchFieldsFailed')}</p>
        <Button onClick={retry}>{t('common:tryAgain')}</Button>
      </FieldSection>
    )
  if (claims.length === 0) return null
  return (
    <FieldSection title={t('claims.title')} hint={t('claims.hint')}>
      {claims.map((claim) =>
        claim.type === 'date' ? (
          <ClaimDate key={claim.id} claim={claim} />
        ) : (
          <TextInput key={claim.id} unit={`claim.${claim.id}`} hint={claim.description || undefined} numeric={claim.type === 'numeric'} />
        ),
      )}
    </FieldSection>
  )
}

function ClaimDate({ claim }: { claim: ClaimField }) {
  const unit = `claim.${claim.id}` as const
  const { editor, editable, field, leave } = useInput(unit)
  return (
    <DateInput
      field={{ ...field, hint: claim.description || undefined }}
      readOnly={!editable}
      value={editor.form.claimFields[claim.id] ?? ''}
      onChange={(text) => editor.set(unit, text)}
      onLeave={leave}
    />
  )
}
