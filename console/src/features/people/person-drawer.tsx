import { getProvenance } from '@instep/contract/user-history.ts'
import { getUser, type UserDetails } from '@instep/contract/users.ts'
import { Avatar } from '@instep/ui/avatar.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useEndpoint } from '../../api/use-endpoint.ts'
import { DrawerMark } from '../../shared/drawer-mark.tsx'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { hasDraft } from '../../shared/use-draft.ts'
import { useOfferedConnectors } from '../../shared/use-offered-connectors.ts'
import { workIn } from '../../shell/console-store.ts'
import { CreatePerson } from './create-person.tsx'
import { draftKeyOf, EditPerson } from './edit-person.tsx'
import styles from './person.module.css'
import { Profile } from './profile.tsx'
import { lookAgainAfter } from './profile-targets.rules.ts'
import { useClaims } from './use-claims.ts'

interface Told {
  onClose: () => void
  /** Told after everything that changed a person: lists show them anew. */
  onSaved: (user: UserDetails) => void
}

export type PersonDrawerProps = Told &
  ({ mode: 'create'; connectorId: string | null } | { userId: string; connectorId: string; mode?: 'view' | 'edit' | undefined })

/** The user drawer: creates a person, shows one, changes one. Mount it to open it. */
export function PersonDrawer(props: PersonDrawerProps) {
  const { onClose, onSaved } = props
  return props.mode === 'create' ? (
    <NewPerson connectorId={props.connectorId} onClose={onClose} onSaved={onSaved} />
  ) : (
    // somebody else is another drawer: nothing typed for one person reaches another
    <KnownPerson
      key={props.userId}
      userId={props.userId}
      connectorId={props.connectorId}
      startsIn={props.mode ?? 'view'}
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}

/** Adds somebody to the connector that the list is narrowed to, and says so; else to the one of people who are added by hand. */
function NewPerson({ connectorId, onClose, onSaved }: Told & { connectorId: string | null }) {
  const { t } = useTranslation('profile')
  const connector = useOfferedConnectors()?.find(({ id }) => id === connectorId)
  return (
    <Frame
      title={t('title.create')}
      mark={<DrawerMark icon={IconUserPlus} />}
      aside={connector && t('form.addedTo', { connector: connector.name })}
      onClose={onClose}
    >
      <CreatePerson
        connectorId={connectorId}
        onClose={onClose}
        onSaved={(user) => {
          showToast({ kind: 'done', text: t('saved.created') })
          onSaved(user)
          onClose()
        }}
      />
    </Frame>
  )
}

/** Looks again while an account is on its way; `pause` in milliseconds, null for never. */
const useLookAgain = (refetch: () => unknown, pause: number | null): void => {
  const again = useEffectEvent(refetch)
  useEffect(() => {
    if (pause === null) return
    const timer = setInterval(() => void again(), pause)
    return () => clearInterval(timer)
  }, [pause])
}

/** A link may lead a super administrator to somebody of another tenant: there they work then, with its sites, values and attributes. */
const useTenantOf = (person: UserDetails | undefined): boolean => {
  const { tenantId } = useScope()
  const elsewhere = person !== undefined && person.tenantId !== tenantId
  useEffect(() => {
    if (elsewhere) workIn(person.tenantId)
  }, [elsewhere, person])
  return !elsewhere
}

interface KnownPersonProps extends Told {
  userId: string
  connectorId: string
  startsIn: 'view' | 'edit'
}

function KnownPerson({ userId, connectorId, startsIn, onClose, onSaved }: KnownPersonProps) {
  const { t } = useTranslation(['profile', 'common'])
  const cache = useQueryClient()
  // what was typed before the session expired comes back in the form that it was typed into
  const [wanted, setWanted] = useState(() => (hasDraft(draftKeyOf(userId)) ? 'edit' : startsIn))
  const query = useEndpoint(getUser, { params: { connectorId, id: userId } })
  const claims = useClaims()
  const person = query.data
  const here = useTenantOf(person)
  // whoever may not edit is shown the profile, and the reason at its button
  const mode = person?.can.edit.allowed ? wanted : 'view'
  // not while somebody types into the form
  useLookAgain(query.refetch, mode === 'view' && person ? lookAgainAfter(person.targets) : null)
  const saved = (user: UserDetails) => {
    void cache.invalidateQueries({ queryKey: endpointKey(getProvenance) })
    onSaved(user)
  }
  const content = () => {
    if (query.error && !person) return <ProblemNotice error={query.error} onRetry={query.refetch} />
    if (!person || !claims || !here) return <Loader label={t('common:loading')} />
    if (mode === 'view')
      return <Profile person={person} claims={claims} onEdit={() => setWanted('edit')} onClose={onClose} onSaved={saved} />
    return (
      <EditPerson
        person={person}
        claims={claims}
        onClose={onClose}
        onCancel={startsIn === 'edit' ? onClose : () => setWanted('view')}
        onSaved={(user) => {
          showToast({ kind: 'done', text: t('saved.updated') })
          setWanted('view')
          saved(user)
        }}
      />
    )
  }
  return (
    <Frame
      title={t(mode === 'edit' ? 'title.edit' : 'title.view')}
      mark={person && <Avatar name={person.displayName} large />}
      aside={person && <Whose name={person.displayName} id={person.enterprise.employeeNumber ?? person.externalId} />}
      onClose={onClose}
    >
      {content()}
    </Frame>
  )
}

/** "Name, id": the id stays in view however long the name is. */
function Whose({ name, id }: { name: string; id: string }) {
  return (
    <span className={styles.whose}>
      <bdi className={styles.whoseName}>{name}</bdi>
      <span className={styles.whoseId}>, {id}</span>
    </span>
  )
}

interface FrameProps {
  title: string
  mark?: ReactNode
  aside?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** The drawer around profile and form. */
function Frame({ children, ...frame }: FrameProps) {
  return (
    <FramedDrawer opened {...frame}>
      <FromItsTop title={frame.title} />
      {children}
    </FramedDrawer>
  )
}

/** Profile and form take each other's place: the new one is read from its top. */
function FromItsTop({ title }: Pick<FrameProps, 'title'>) {
  const top = useRef<HTMLDivElement>(null)
  const shown = useRef(title)
  useEffect(() => {
    if (shown.current === title) return
    shown.current = title
    top.current?.scrollIntoView()
    top.current?.closest('section')?.focus({ preventScroll: true })
  }, [title])
  return <div ref={top} />
}
