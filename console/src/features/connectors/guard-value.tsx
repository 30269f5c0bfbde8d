import type { Limit, SourceChecks } from '@instep/contract/guard-settings.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

/** A guard as a version has it; what was turned off may name nothing but who did it and why. */
type GuardValue = Partial<Limit & SourceChecks['emptierColumn'] & SourceChecks['staleSource']> & {
  readonly on: boolean
  readonly by?: string
  readonly reason?: string
}

/** One guard of a version in words. */
export function GuardValue({ place, value }: { place: string; value: unknown }) {
  const { t } = useTranslation(['config', 'guards'])
  const { number } = useFormat()
  const { on, percent = 0, number: people = 0, points, hours, by, reason } = value as GuardValue
  const isLimit = !place.startsWith('source.') || place === 'source.fewerRows'
  const held = () => {
    if (points !== undefined) return t('config:values.heldPoints', { count: points, amount: number(points) })
    if (hours !== undefined) return t('config:values.heldHours', { count: hours, amount: number(hours) })
    return isLimit ? t('guards:limit', { percent: number(percent), count: people, amount: number(people) }) : t('config:values.held')
  }
  return (
    <>
      <bdi>{on ? held() : t(isLimit ? 'guards:noLimit' : 'config:values.notHeld')}</bdi>
      {reason && (
        <>
          {' '}
          <bdi>({t('config:values.offBy', { by, reason })})</bdi>
        </>
      )}
    </>
  )
}
