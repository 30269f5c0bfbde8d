import { CASES, OTHERS, SPLIT_ENDS, type Transform } from '@instep/contract/transforms.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useTranslation } from 'react-i18next'
import { ConcatFields } from './concat-fields.tsx'
import { ExpressionFields } from './expression-fields.tsx'
import { LookupTable } from './lookup-table.tsx'
import styles from './transform.module.css'

type Step<Kind extends Transform['kind']> = Extract<Transform, { kind: Kind }>

interface FieldsProps<Kind extends Transform['kind']> {
  step: Step<Kind>
  onChange: (step: Transform) => void
}

interface TransformFieldsProps extends FieldsProps<Transform['kind']> {
  columns: readonly string[]
  seen: () => string[]
}

/** What a step of each kind needs to be told. */
export function TransformFields({ step, columns, seen, onChange }: TransformFieldsProps) {
  switch (step.kind) {
    case 'trim':
      return null
    case 'case':
      return <CaseFields step={step} onChange={onChange} />
    case 'split':
      return <SplitFields step={step} onChange={onChange} />
    case 'concat':
      return <ConcatFields step={step} columns={columns} onChange={onChange} />
    case 'lookup':
      return <LookupFields step={step} seen={seen} onChange={onChange} />
    case 'replace':
      return <ReplaceFields step={step} onChange={onChange} />
    case 'default':
    case 'constant':
      return <TextFields step={step} onChange={onChange} />
    case 'expression':
      return <ExpressionFields step={step} columns={columns} onChange={onChange} />
  }
}

function CaseFields({ step, onChange }: FieldsProps<'case'>) {
  const { t } = useTranslation('transform')
  return (
    <SelectField
      label={t('case.label')}
      value={step.to}
      options={CASES.map((value) => ({ value, label: t(`case.${value}`) }))}
      onChange={(to) => onChange({ ...step, to: to as (typeof CASES)[number] })}
    />
  )
}

function SplitFields({ step, onChange }: FieldsProps<'split'>) {
  const { t } = useTranslation(['transform', 'common'])
  const { rest = false } = step
  return (
    <>
      <div className={styles.fields}>
        <TextField
          label={t('split.separator')}
          hint={step.separator.trim() === '' && step.separator !== '' ? t('split.space') : undefined}
          error={step.separator === '' ? t('missing') : undefined}
          longest={20}
          value={step.separator}
          onChange={(separator) => onChange({ ...step, separator })}
        />
        <TextField
          label={t('split.part')}
          type="number"
          min={1}
          max={100}
          value={String(step.part)}
          onChange={(part) => onChange({ ...step, part: Math.min(100, Math.max(1, Math.trunc(Number(part)) || 1)) })}
        />
        <SelectField
          label={t('split.end')}
          value={step.end}
          options={SPLIT_ENDS.map((value) => ({ value, label: t(`split.from.${value}`) }))}
          onChange={(end) => onChange({ ...step, end: end as (typeof SPLIT_ENDS)[number] })}
        />
      </div>
      <Checkbox
        showLabel
        label={t(step.end === 'start' ? 'split.restAfter' : 'split.restBefore')}
        checked={rest}
        onChange={(checked) => {
          const { rest: _, ...others } = step
          onChange(checked ? { ...others, rest: true } : others)
        }}
      />
    </>
  )
}

function LookupFields({ step, seen, onChange }: FieldsProps<'lookup'> & { seen: () => string[] }) {
  const { t } = useTranslation('transform')
  return (
    <>
      <LookupTable values={step.values} seen={seen} onChange={(values) => onChange({ ...step, values })} />
      <SelectField
        label={t('lookup.others')}
        value={step.others}
        options={OTHERS.map((value) => ({ value, label: t(`lookup.${value}`) }))}
        onChange={(others) => onChange({ ...step, others: others as (typeof OTHERS)[number] })}
      />
      <Checkbox
        showLabel
        label={t('lookup.ignoreCase')}
        checked={step.ignoreCase ?? false}
        onChange={(checked) => {
          const { ignoreCase: _, ...others } = step
          onChange(checked ? { ...others, ignoreCase: true } : others)
        }}
      />
    </>
  )
}

function ReplaceFields({ step, onChange }: FieldsProps<'replace'>) {
  const { t } = useTranslation('transform')
  return (
    <div className={styles.fields}>
      <TextField
        label={t('replace.find')}
        error={step.find === '' ? t('missing') : undefined}
        longest={300}
        value={step.find}
        onChange={(find) => onChange({ ...step, find })}
      />
      <TextField
        label={t('replace.with')}
        hint={step.with === '' ? t('replace.nothing') : undefined}
        longest={300}
        value={step.with}
        onChange={(text) => onChange({ ...step, with: text })}
      />
    </div>
  )
}

function TextFields({ step, onChange }: FieldsProps<'default' | 'constant'>) {
  const { t } = useTranslation('transform')
  return (
    <TextField
      label={t(`text.${step.kind}`)}
      error={step.text === '' ? t('missing') : undefined}
      longest={300}
      value={step.text}
      onChange={(text) => onChange({ ...step, text })}
    />
  )
}
