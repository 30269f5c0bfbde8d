import type { DefaultField } from '@instep/contract/settings.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DefaultInput } from './default-input.tsx'
import { type Counting, countingOf, type Origin, type TypedDefaults, withoutField, withText } from './defaults.rules.ts'
import styles from './settings.module.css'
import { useDefaultWords } from './use-default-words.ts'

interface DefaultRowProps {
  field: DefaultField
  typed: TypedDefaults
  /** Whose values these are. */
  origin: Exclude<Origin, 'product'>
  inherited: Counting | undefined
  readOnly: boolean
  error: string | undefined
  onChange: (change: (was: TypedDefaults) => TypedDefaults) => void
}

/** One field: what is set here, and beside it what counts and where that comes from. */
export function DefaultRow({ field, typed, origin, inherited, readOnly, error, onChange }: DefaultRowProps) {
  const { t } = useTranslation('settings')
  const words = useDefaultWords()
  const counting = countingOf(typed, field, { own: origin, inherited })
  const setHere = typed[field] !== undefined
  const label = words.labelOf(field)
  const shown = counting && words.valueText(field, counting.value)
  return (
    <li className={styles.default}>
      <DefaultInput
        field={field}
        label={label}
        value={typed[field]}
        inherited={inherited}
        readOnly={readOnly}
        error={error}
        onText={(text) => onChange((was) => withText(was, field, { text, inherited }))}
        onReset={() => onChange((was) => withoutField(was, field))}
      />
      <div className={styles.counts}>
        <div className={styles.counting}>
          <span className={styles.origin}>{counting ? t(`defaults.from.${counting.origin}`) : t('defaults.fromProductUnseen')}</span>
          <span className={shown ? styles.value : styles.nothing}>
            <bdi>{shown ?? t('defaults.nothing')}</bdi>
          </span>
        </div>
        {setHere && !readOnly && (
          <Button
            variant="quiet"
            icon={IconArrowBackUp}
            aria-label={t('defaults.resetField', { field: label })}
            onClick={() => onChange((was) => withoutField(was, field))}
          >
            {t('defaults.reset')}
          </Button>
        )}
      </div>
    </li>
  )
}
