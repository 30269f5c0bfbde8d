import { transformsOf } from '@instep/contract/mapped-field.ts'
import type { FieldMapping } from '@instep/contract/sync.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useGuardName } from '../../shared/use-guard-names.ts'

/** What matching says that is no likeness. */
const MATCHING: Readonly<Record<string, string>> = { keys: 'config:values.lookupKeys', 'samePerson.act': 'matching:act' }

/** What a configuration says, in words where there are some; parts that have none are told as they are written. */
export const useConfigWords = () => {
  const { t, i18n } = useTranslation(['config', 'people', 'sync', 'transform', 'matching', 'common'])
  const guardName = useGuardName()

  const partName = useCallback((part: string): string => t(`config:parts.${part}`, { defaultValue: part }), [t])
  /** The parts that were changed. */
  const parts = useCallback(
    (names: readonly string[]): string => new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(names.map(partName)),
    [i18n.language, partName],
  )
  /** Where something stands: a field by its name, anything else by its path. */
  const place = useCallback(
    ([part = '', ...rest]: readonly string[]): string => {
      if (part === 'mapping' && rest[0] === 'fields') return t(`people:fields.${rest[1]}`, { defaultValue: rest[1] ?? '' })
      if (part === 'mapping' && rest[0] === 'scope') return t('transform:scope.title')
      if (part === 'placement') return partName(part)
      if (part === 'guard') return guardName(rest[0] ?? '')
      if (part === 'grace') return t('config:values.graceDays')
      if (part === 'matching') return t(MATCHING[rest.join('.')] ?? `matching:likenesses.${rest.at(-1)}`)
      return [partName(part), ...rest].join(' › ')
    },
    [t, partName, guardName],
  )
  /** A value of a part that has no words of its own. */
  const plain = useCallback(
    (value: unknown): string => {
      if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no')
      return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    },
    [t],
  )
  /** How a field is read: its column, its steps, how dates are written, what an empty cell says. */
  const mapped = useCallback(
    (from: FieldMapping): string[] => {
      const { column, dateFormat, whenEmpty } = from
      const steps = transformsOf(from).map(({ kind }) => t(`transform:kinds.${kind}`))
      return [
        column === undefined ? t('transform:noColumn') : t('config:column', { column }),
        ...(dateFormat ? [t(`sync:dateFormats.${dateFormat}`)] : []),
        ...(steps.length > 0 ? [t('config:steps', { steps: steps.join(' → ') })] : []),
        ...(whenEmpty && whenEmpty.policy !== 'clear'
          ? [t(`config:whenEmpty.${whenEmpty.policy}`, { text: whenEmpty.policy === 'default' ? whenEmpty.text : '' })]
          : []),
      ]
    },
    [t],
  )
  return { parts, place, plain, mapped }
}
