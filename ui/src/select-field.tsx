import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean | undefined
  /** Options of one group stand together under its name. */
  group?: string | undefined
}

export interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, 'required' | 'onChange' | 'value' | 'size'> {
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** 30 px high, for toolbars. */
  toolbar?: boolean | undefined
}

/** The platform's own select with label, hint and error; for lists short enough to need no search. */
export function SelectField({ toolbar, value, options, onChange, ...others }: SelectFieldProps) {
  const { label, hint, error, required, hideLabel, note, overridden, ...rest } = others
  return (
    <Field {...{ label, hint, error, required, hideLabel, note, overridden }}>
      {(wiring) => (
        <span className={styles.select}>
          <select
            {...rest}
            {...wiring}
            className={`${styles.control} ${toolbar ? styles.toolbar : ''}`}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          >
            {byGroup(options).map(({ group, members }) =>
              group === undefined ? (
                members.map(optionOf)
              ) : (
                <optgroup key={group} label={group}>
                  {members.map(optionOf)}
                </optgroup>
              ),
            )}
          </select>
          <Icon of={IconSelector} size={14} />
        </span>
      )}
    </Field>
  )
}

const optionOf = (option: SelectOption) => (
  <option key={option.value} value={option.value} disabled={option.disabled}>
    {option.label}
  </option>
)

const byGroup = (options: readonly SelectOption[]): { group: string | undefined; members: SelectOption[] }[] => {
  const groups: { group: string | undefined; members: SelectOption[] }[] = []
  for (const option of options) {
    const last = groups.at(-1)
    if (last && last.group === option.group) last.members.push(option)
    else groups.push({ group: option.group, members: [option] })
  }
  return groups
}
