import type { UserRow } from '@instep/contract/users.ts'
import type { IconShape } from '@instep/ui/icon.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { IconDeviceMobile, IconDeviceMobileCheck, IconMail, IconMailOff, IconMailStar } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

type Delivery = UserRow['accessCodeDelivery']

/** The icon of each way. */
export const DELIVERY_ICONS: Record<Delivery, IconShape> = {
  none: IconMailOff,
  'email.work': IconMail,
  'email.personal': IconMailStar,
  'sms.personal': IconDeviceMobile,
  'sms.activation_portal': IconDeviceMobileCheck,
}

interface DeliveryMarkProps {
  delivery: Delivery
  showLabel?: boolean | undefined
}

/** How a person receives the access code; in danger when there is no way. */
export function DeliveryMark({ delivery, showLabel }: DeliveryMarkProps) {
  const { t } = useTranslation()
  const label = t(`delivery.${delivery.replace('.', '_')}`)
  return <IconMark icon={DELIVERY_ICONS[delivery]} label={label} tone={delivery === 'none' ? 'danger' : 'idle'} showLabel={showLabel} />
}
