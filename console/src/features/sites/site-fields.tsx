import { FieldSection } from '@instep/ui/field-section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { SwitchField } from '@instep/ui/switch-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import { TimeZoneField } from '../../shared/time-zone-field.tsx'
import type { TypedSite } from './site.rules.ts'
import styles from './sites.module.css'

interface SiteFieldsProps {
  typed: TypedSite
  onChange: (change: Partial<TypedSite>) => void
  errorAt: (field: keyof TypedSite) => string | undefined
  groupRequired: boolean
  /** Shown and not changed. */
  readOnly: boolean
  /** Why "restricted" cannot be switched; null where it can. */
  restrictRefusal: string | null
}

/** The inputs of a site. */
export function SiteFields({ typed, onChange, errorAt, groupRequired, readOnly, restrictRefusal }: SiteFieldsProps) {
  const { t } = useTranslation(['sites', 'common'])
  return (
    <>
      <FieldSection title={t('site.about')} hint={t('site.aboutHint')}>
        <div className={styles.wide}>
          <TextField
            label={t('site.name')}
            required={!readOnly}
            readOnly={readOnly}
            value={typed.name}
            onChange={(name) => onChange({ name })}
            error={errorAt('name')}
          />
        </div>
        <GroupField {...{ typed, onChange, errorAt, groupRequired, readOnly }} />
        {readOnly ? (
          <TextField label={t('site.timeZone')} readOnly value={typed.timeZone} onChange={() => undefined} />
        ) : (
          <TimeZoneField
            label={t('site.timeZone')}
            note={t('site.timeZoneHint')}
            required={!readOnly}
            value={typed.timeZone}
            onChange={(timeZone) => onChange({ timeZone })}
            error={errorAt('timeZone')}
          />
        )}
        <TextField
          label={t('site.prefix')}
          note={t('site.prefixHint')}
          dir="auto"
          required={!readOnly}
          readOnly={readOnly}
          value={typed.employeeIdPrefix}
          onChange={(employeeIdPrefix) => onChange({ employeeIdPrefix })}
          error={errorAt('employeeIdPrefix')}
        />
        <TextField
          label={t('site.externalCode')}
          note={t('site.externalCodeHint')}
          dir="auto"
          readOnly={readOnly}
          value={typed.externalCode}
          onChange={(externalCode) => onChange({ externalCode })}
          error={errorAt('externalCode')}
        />
      </FieldSection>
      <FieldSection title={t('site.rules')} hint={t('site.rulesHint')}>
        <SwitchField
          label={t('site.restricted')}
          word={t(typed.restricted ? 'common:yes' : 'common:no')}
          checked={typed.restricted}
          disabled={readOnly || restrictRefusal !== null}
          note={(!readOnly && restrictRefusal) || t('site.restrictedHint')}
          onChange={(restricted) => onChange({ restricted })}
        />
        <SwitchField
          label={t('site.shifts')}
          word={t(typed.shiftsEnabled ? 'common:yes' : 'common:no')}
          checked={typed.shiftsEnabled}
          disabled={readOnly}
          note={t('site.shiftsHint')}
          onChange={(shiftsEnabled) => onChange({ shiftsEnabled })}
        />
      </FieldSection>
    </>
  )
}

type GroupFieldProps = Pick<SiteFieldsProps, 'typed' | 'onChange' | 'errorAt' | 'groupRequired' | 'readOnly'>

/** The site's group; where there is none to choose, it says so. */
function GroupField({ typed, onChange, errorAt, groupRequired, readOnly }: GroupFieldProps) {
  const { t } = useTranslation(['sites', 'common'])
  const { siteGroups } = useScope()
  const none = { value: '', label: t(groupRequired ? 'site.chooseGroup' : 'site.noGroup') }
  const options = [none, ...(siteGroups ?? []).map(({ id, name }) => ({ value: id, label: name }))]
  if (readOnly) {
    const shown = options.find(({ value }) => value === typed.groupId)?.label ?? '–'
    return <TextField label={t('site.group')} readOnly value={shown} onChange={() => undefined} />
  }
  return (
    <SelectField
      label={t('site.group')}
      required={groupRequired}
      note={siteGroups?.length === 0 ? t('site.noGroups') : undefined}
      value={typed.groupId}
      options={options}
      onChange={(groupId) => onChange({ groupId })}
      error={errorAt('groupId')}
    />
  )
}
