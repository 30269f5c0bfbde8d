import { ClaimTrack, type ClaimTrackStatus } from '@instep/ui/claim-track.tsx'
import { useTranslation } from 'react-i18next'

interface AccountStatusMarkProps {
  status: ClaimTrackStatus
}

/** The claim track of a person, with its word. */
export function AccountStatusMark({ status }: AccountStatusMarkProps) {
  const { t } = useTranslation()
  return <ClaimTrack status={status} word={t(`accountStatus.${status}`)} />
}
