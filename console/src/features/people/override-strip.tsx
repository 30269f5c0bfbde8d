import { Icon } from '@instep/ui/icon.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { IconPencil } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { DateInput } from './date-input.tsx'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'
import type { Unit } from './user-form.units.ts'

/** Above the footer, while saving would set or renew something over the source: what, and once for all of it why and until when. */
export function OverrideStrip() {
  const { t } = useTranslation('profile')
  const { pending, renewing, form, before, typed, words, problemAt, leave, changeTyped } = useEditor()
  const strip = useRef<HTMLElement>(null)
  const open = renewing.length
  const was = useRef(open)
  useEffect(() => {
    // whoever asks for the reason and the last day of an override goes to them
    if (open > was.current) strip.current?.querySelector('input')?.focus()
    was.current = open
  }, [open])
  if (pending.length + open === 0) return null
  const names = (units: readonly Unit[]) => units.map((unit) => words.labelOf(unit, form)).join(', ')
  return (
    <section ref={strip} className={styles.strip} aria-label={t('override.title')}>
      <p className={styles.stripText}>
        <Icon of={IconPencil} size={14} />
        <span>
          {pending.length > 0 &&
            t('override.will', { count: pending.length, connector: before?.connectorName ?? '', fields: names(pending) })}{' '}
          {open > 0 && t('override.willRenew', { count: open, fields: names(renewing) })}
        </span>
      </p>
      <div className={styles.stripFields}>
        <TextField
          label={t('override.overrideReason')}
          error={problemAt('overrideReason')}
          value={typed.overrideReason}
          onChange={(overrideReason) => changeTyped({ overrideReason })}
        />
        <DateInput
          field={{ label: t('override.overrideUntil'), error: problemAt('overrideUntil') }}
          above
          value={typed.overrideUntil}
          onChange={(overrideUntil) => changeTyped({ overrideUntil })}
          onLeave={() => leave('overrideUntil')}
        />
      </div>
    </section>
  )
}
