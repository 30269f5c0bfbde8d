import { Icon } from '@instep/ui/icon.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DateInput } from './date-input.tsx'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'

/** Above the footer, while saving would set something over the source: what, and once for all of it why and until when. */
export function OverrideStrip() {
  const { t } = useTranslation('profile')
  const { pending, form, before, typed, words, problemAt, leave, changeTyped } = useEditor()
  if (pending.length === 0) return null
  const names = pending.map((unit) => words.labelOf(unit, form))
  return (
    <section className={styles.strip} aria-label={t('override.title')}>
      <p className={styles.stripText}>
        <Icon of={IconPencil} size={14} />
        <span>{t('override.will', { count: pending.length, connector: before?.connectorName ?? '', fields: names.join(', ') })}</span>
      </p>
      <div className={styles.stripFields}>
        <TextField
          label={t('override.overrideReason')}
          maxLength={1000}
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
