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
import { useValueWords } from '../../shared/use-value-words.ts'
import { useOverrideWords } from './override-note.tsx'
import styles from './person.module.css'
import type { ProfileField } from './profile-sections.tsx'

interface ProfileOriginProps {
  person: Pick<UserDetails, 'id' | 'connectorId' | 'version'>
  field: ProfileField
  align: 'start' | 'end'
}

/** Answers "where does this come from" for one field. */
export function ProfileOrigin({ person, field, align }: ProfileOriginProps) {
  const { t } = useTranslation('profile')
  const { label } = field
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
          <OriginOf person={person} field={field} />
        </section>
      )}
    </Popover>
  )
}

function OriginOf({ person, field: { name, isDay } }: Pick<ProfileOriginProps, 'person' | 'field'>) {
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
        <Origin origin={found} isDay={isDay} />
      ) : (
        <p>{t('origin.none')}</p>
      )}
    </div>
  )
}

/** Source with run and column, override, edit by hand, or default, in sentences. */
function Origin({ origin, isDay = false }: { origin: Provenance; isDay?: boolean | undefined }) {
  const { t } = useTranslation('profile')
  const { me } = useScope()
  const { instant, date } = useFormat()
  const says = useOverrideWords()
  const textOf = useValueWords()
  const { connectorName, runId, at, by, mapping, override } = origin
  const written = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return t('merge.nothing')
    if (typeof value === 'boolean') return t(value ? 'form.active' : 'form.inactive')
    return isDay ? date(String(value)) : textOf(origin.field, String(value))
  }
  return (
    <>
      <p>{t(`origin.${origin.origin}`, { connector: connectorName })}</p>
      {override && <p>{says(override)}</p>}
      {override && <p>{t('origin.sourceSays', { connector: connectorName, value: written(override.base) })}</p>}
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
