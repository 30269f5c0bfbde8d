import { isTenantLevel } from '@instep/contract/roles.ts'
import { FieldSection } from '@instep/ui/field-section.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { SwitchField } from '@instep/ui/switch-field.tsx'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import { useGroupedSites } from '../../shared/use-grouped-sites.ts'
import { DateInput } from './date-input.tsx'
import { ChoiceInput, TextInput, useInput } from './form-inputs.tsx'
import { LanguageInput } from './language-input.tsx'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'
import { accountTypeOf, withAccountType } from './user-form.rules.ts'

interface FormBasicProps {
  /** Told when another site was chosen for somebody new. */
  onSite: (siteId: string | null) => void
}

/** Who the person is. */
export function FormBasic({ onSite }: FormBasicProps) {
  const { t } = useTranslation('profile')
  const editor = useEditor()
  const { siteId } = useScope()
  const { form, before } = editor
  // where the address names no site, and of somebody without a source
  const hasSite = before ? editor.isEditable('siteId') : siteId === null
  const prefix = form.employeeIdPrefix.trim()
  const preview = !before && prefix && form.externalId.trim() ? t('form.savedAs', { id: `${prefix}${form.externalId.trim()}` }) : undefined
  return (
    <FieldSection title={t('basic.title')} hint={t('basic.hint')}>
      <div className={styles.stacked}>
        <span className={styles.label}>{t('form.accountType')}</span>
        <Segmented
          label={t('form.accountType')}
          disabled={before !== null}
          value={accountTypeOf(form)}
          segments={[
            { value: 'accessCode', label: t('form.accessCodeUser') },
            { value: 'workEmail', label: t('form.workEmailUser') },
          ]}
          onChange={(type) => editor.update((was) => withAccountType(was, type))}
        />
      </div>
      {before ? <ActiveInput /> : !hasSite && <span />}
      {hasSite && <SiteInput onSite={onSite} />}
      {!before && <TextInput unit="employeeIdPrefix" hint={preview ?? t('form.prefixHint')} />}
      <TextInput unit="externalId" hint={t('form.externalIdHint')} wide={before !== null && !hasSite} />
      <TextInput unit="givenName" />
      <TextInput unit="familyName" />
      <LanguageInput unit="preferredLanguage" />
      <StartDateInput />
    </FieldSection>
  )
}

function ActiveInput() {
  const { t } = useTranslation('profile')
  const { editor, editable, field } = useInput('active')
  const { active } = editor.form
  return (
    <SwitchField
      label={field.label}
      word={t(active ? 'form.active' : 'form.inactive')}
      checked={active}
      disabled={!editable}
      overridden={field.overridden}
      note={field.note}
      onChange={(checked) => editor.set('active', checked)}
    />
  )
}

/** The site where the person works. */
function SiteInput({ onSite }: FormBasicProps) {
  const { t } = useTranslation('profile')
  const { me } = useScope()
  const sites = useGroupedSites()
  const { editor } = useInput('siteId')
  const open = sites.filter(({ id, active }) => active || id === editor.form.siteId)
  const nowhere = isTenantLevel(me.roles) ? t('form.unassigned') : ''
  return (
    <ChoiceInput
      unit="siteId"
      value={editor.form.siteId ?? ''}
      options={[{ value: '', label: nowhere }, ...open.map(({ id, name, group }) => ({ value: id, label: name, group }))]}
      onChange={(value) => {
        editor.set('siteId', value || null)
        onSite(value || null)
      }}
    />
  )
}

function StartDateInput() {
  const { editor, editable, field, leave } = useInput('startDate')
  return (
    <DateInput
      field={field}
      readOnly={!editable}
      value={editor.form.startDate}
      onChange={(text) => editor.set('startDate', text)}
      onLeave={leave}
    />
  )
}
