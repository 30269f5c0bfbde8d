import type { Connector } from '@instep/contract/connectors.ts'
import { listProtectedPeople, type ProtectedPerson, protectPerson } from '@instep/contract/guard-settings.ts'
import { Button } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './guards.module.css'
import { ProtectDialog, UnprotectDialog } from './protect-dialog.tsx'

const PAGE = 25

/** Whom a sync never deactivates: VIPs and administrators, and the people of the connector's list. */
export function ProtectedPeople({ connector }: { connector: Connector }) {
  const { t } = useTranslation(['guards', 'common'])
  const refusal = useRefusal().ofCall(protectPerson)
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<ProtectedPerson | null>(null)
  const people = usePages(listProtectedPeople, {
    key: [connector.id],
    inputOf: (continuationToken) => ({
      params: { connectorId: connector.id },
      query: { pageSize: PAGE, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const first = people.pages?.[0]
  return (
    <Section
      title={t('protected.title')}
      hint={t('protected.about')}
      actions={
        <Button icon={IconPlus} disabledReason={refusal} onClick={() => setAdding(true)}>
          {t('protected.add')}
        </Button>
      }
    >
      {people.error && <ProblemNotice error={people.error} onRetry={people.refetch} />}
      {first && (
        <ul className={styles.facts}>
          <li>{t('protected.vips', { count: first.vips })}</li>
          <li>{t('protected.admins', { count: first.admins })}</li>
          <li>{t('protected.listed', { count: first.total })}</li>
        </ul>
      )}
      <ul className={styles.people}>
        {people.rows?.map((person) => (
          <Person key={person.userId} person={person} connector={connector} refusal={refusal} onRemove={() => setLeaving(person)} />
        ))}
      </ul>
      {people.hasNextPage && (
        <Button variant="quiet" busy={people.isFetchingNextPage} onClick={() => people.fetchNextPage()}>
          {t('common:showMore')}
        </Button>
      )}
      {adding && <ProtectDialog connector={connector} onClose={() => setAdding(false)} />}
      {leaving && <UnprotectDialog connector={connector} person={leaving} onClose={() => setLeaving(null)} />}
    </Section>
  )
}

interface PersonProps {
  person: ProtectedPerson
  connector: Connector
  refusal: string | null
  onRemove: () => void
}

function Person({ person, connector, refusal, onRemove }: PersonProps) {
  const { t } = useTranslation('guards')
  const { instant } = useFormat()
  return (
    <li className={styles.person}>
      <div>
        <AppLink href={paths.people({ connectorId: connector.id, userId: person.userId })}>{person.displayName}</AppLink>{' '}
        <bdi className={`figures ${styles.muted}`}>{person.employeeId}</bdi>
        <div>{person.reason}</div>
        <div className={styles.muted}>{t('protected.by', { by: person.by, at: instant(person.at) })}</div>
      </div>
      <Button
        variant="quiet"
        disabledReason={refusal}
        aria-label={t('protected.removeOf', { name: person.displayName })}
        onClick={onRemove}
      >
        {t('protected.remove')}
      </Button>
    </li>
  )
}
