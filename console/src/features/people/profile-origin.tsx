import { isTenantLevel } from '@instep/contract/roles.ts'
import { getProvenance, type Provenance } from '@instep/contract/user-history.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Popover } from '@instep/ui/popover.tsx'
import { IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useOverrideWords } from './override-note.tsx'
import styles from './person.module.css'

interface ProfileOriginProps {
  person: Pick<UserDetails, 'id' | 'connectorId' | 'version'>
  /** The field's name in the form model, and in words. */
  name: string
  label: string
  align: 'start' | 'end'
}

/** Answers "where does this come from" for one field. */
export function ProfileOrigin({ person, name, label, align }: ProfileOriginProps) {
  const { t } = useTranslation('profile')
  return (
    <Popover
      align={align}
      width="300px"
      trigger={(props) => (
        <IconButton {...props} small icon={IconInfoCircle} label={t('origin.ask', { field: label })} className={styles.origin} />
      )}
    >
      {() => (
        <section aria-label={t('origin.ask', { field: label })}>
          <OriginOf person={person} name={name} />
        </section>
      )}
    </Popover>
  )
}

function OriginOf({ person, name }: Pick<ProfileOriginProps, 'person' | 'name'>) {
  const { t } = useTranslation(['profile', 'common'])
  const problemText = useProblemText()
  const panel = useRef<HTMLDivElement>(null)
  const query = useEndpoint(getProvenance, { params: { connectorId: person.connectorId, id: person.id } })
  const found = query.data?.data.find(({ field }) => field === name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the whole answer comes into view once it is there
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [query.data, query.error])
  return (
    <div ref={panel} className={styles.originPanel}>
      {query.error ? (
        <p>{problemText(query.error)}</p>
      ) : !query.data ? (
        <Loader label={t('common:loading')} />
      ) : found ? (
        <Origin origin={found} />
      ) : (
        <p>{t('origin.none')}</p>
      )}
    </div>
  )
}

/** Source with run and column, override, edit by hand, or default, in sentences. */
function Origin({ origin }: { origin: Provenance }) {
  const { t } = useTranslation('profile')
  const { me } = useScope()
  const { instant } = useFormat()
  const says = useOverrideWords()
  const { connectorName, runId, at, by, mapping, override } = origin
  const base = override && (override.base === null || override.base === '' ? t('merge.nothing') : String(override.base))
  return (
    <>
      <p>{t(`origin.${origin.origin}`, { connector: connectorName })}</p>
      {override && <p>{says(override)}</p>}
      {override && <p>{t('origin.sourceSays', { connector: connectorName, value: base })}</p>}
      {mapping && <p>{t('origin.column', { column: mapping.column, version: mapping.version })}</p>}
      {mapping?.dateFormat && <p>{t('origin.dateFormat', { format: mapping.dateFormat })}</p>}
      {at && origin.origin !== 'override' && <p>{by ? t('origin.byAt', { by, at: instant(at) }) : t('origin.at', { at: instant(at) })}</p>}
      {runId && isTenantLevel(me.roles) && (
        <p>
          <AppLink href={paths.run(runId)}>{t('origin.run')}</AppLink>
        </p>
      )}
    </>
  )
}
