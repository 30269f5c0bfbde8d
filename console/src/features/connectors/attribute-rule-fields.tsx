import { type AttributeRule, MAPPABLE_FIELDS } from '@instep/contract/attribute-rules.ts'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CONSTANT, NOTHING, sourceOf, TEXT_CHANGES, textChangeOf, withSource, withTextChange } from './attribute-rules.rules.ts'
import styles from './scim-target.module.css'

interface AttributeRuleFieldsProps {
  rule: AttributeRule
  /** Its place in the list, from 1. */
  number: number
  /** The list of paths that are offered. */
  listId: string
  wrong: boolean
  onChange: (rule: AttributeRule) => void
  onRemove: () => void
}

const KINDS = ['text', 'boolean', 'number'] as const

/** One attribute: its path, where it comes from, what is done to the text. */
export function AttributeRuleFields({ rule, number, listId, wrong, onChange, onRemove }: AttributeRuleFieldsProps) {
  const { t } = useTranslation(['scim-target', 'people'])
  const source = sourceOf(rule)
  const change = textChangeOf(rule)
  const changes = change === 'other' ? [...TEXT_CHANGES, 'other' as const] : TEXT_CHANGES
  return (
    <fieldset className={styles.rule}>
      <legend className="visually-hidden">{t('attributes.rule', { number })}</legend>
      <TextField
        label={t('attributes.path')}
        list={listId}
        dir="ltr"
        spellCheck={false}
        longest={300}
        required
        error={wrong && rule.path !== '' ? t('attributes.wrongPath') : undefined}
        value={rule.path}
        onChange={(path) => onChange({ ...rule, path })}
      />
      <SelectField
        label={t('attributes.from')}
        value={source}
        options={[
          { value: CONSTANT, label: t('attributes.constant') },
          { value: NOTHING, label: t('attributes.leaveOut') },
          ...MAPPABLE_FIELDS.map((field) => ({ value: field, label: t(`people:fields.${field}`), group: t('attributes.fields') })),
        ]}
        onChange={(value) => onChange(withSource(rule, value))}
      />
      {rule.from.kind === 'constant' && (
        <TextField
          label={t('attributes.text')}
          required
          longest={1000}
          value={rule.from.text}
          onChange={(text) => onChange({ ...rule, from: { kind: 'constant', text } })}
        />
      )}
      {rule.from.kind === 'field' && (
        <SelectField
          label={t('attributes.change')}
          value={change}
          options={changes.map((value) => ({ value, label: t(`attributes.changes.${value}`) }))}
          onChange={(value) => onChange(withTextChange(rule, value))}
        />
      )}
      {rule.from.kind !== 'nothing' && (
        <SelectField
          label={t('attributes.as')}
          value={rule.as}
          options={KINDS.map((value) => ({ value, label: t(`attributes.kinds.${value}`) }))}
          onChange={(value) => onChange({ ...rule, as: KINDS.find((kind) => kind === value) ?? 'text' })}
        />
      )}
      <IconButton icon={IconTrash} label={t('attributes.remove', { number })} onClick={onRemove} />
    </fieldset>
  )
}
