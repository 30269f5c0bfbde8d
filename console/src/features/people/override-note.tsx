import { Icon } from '@instep/ui/icon.tsx'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { keptOverride } from './override.rules.ts'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'
import { readUnit, sameValue, type Unit } from './user-form.units.ts'

/** Below an overridden input: that it is, the way back to the source's value, and who set it when and why. */
export function OverrideNote({ unit }: { unit: Unit }) {
  const { t } = useTranslation('profile')
  const { form, before, typed, words, sourceValue, restore, renewing, renew, leaveTerms } = useEditor()
  const kept = before && sameValue(readUnit(form, unit), readUnit(typed.opened, unit)) ? keptOverride(before, unit) : undefined
  const source = words.valueText(unit, sourceValue(unit))
  const says = useOverrideWords()
  const open = renewing.includes(unit)
  return (
    <>
      <span className={styles.overridden}>
        <Icon of={IconArrowBackUp} size={13} mirrors />
        {t('override.overridden')}{' '}
        <button type="button" className={styles.restore} onClick={() => restore(unit)}>
          {source === null ? t('override.restoreEmpty') : t('override.restore', { value: source })}
        </button>
      </span>
      {kept && (
        <span className={styles.overrideBy}>
          {says(kept)}{' '}
          <button
            type="button"
            className={styles.restore}
            aria-label={t(open ? 'override.leaveTermsOf' : 'override.renewOf', { field: words.labelOf(unit, form) })}
            onClick={() => (open ? leaveTerms(unit) : renew(unit))}
          >
            {t(open ? 'override.leaveTerms' : 'override.renew')}
          </button>
        </span>
      )}
    </>
  )
}

interface OverrideFacts {
  readonly by: string
  readonly at: string
  readonly reason: string | null
  readonly until: string | null
}

/** Who set an override when, why and until when, in a sentence or three. */
export const useOverrideWords = () => {
  const { t } = useTranslation('profile')
  const { instant, date } = useFormat()
  return ({ by, at, reason, until }: OverrideFacts): string =>
    [
      t('override.by', { by, at: instant(at) }),
      reason ? t('override.because', { reason }) : '',
      until ? t('override.holdsUntil', { date: date(until) }) : '',
    ]
      .filter(Boolean)
      .join(' ')
}
