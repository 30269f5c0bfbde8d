import { type GroupTarget, groupsOf } from '@instep/connectors/kit/group-target.ts'
import { hashDocument } from '@instep/connectors/kit/hash-document.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import { failureOf } from '../carry-out.ts'
import { afterFailure } from '../failure.rules.ts'
import { createLeaseKeeper, type Held, type LeaseKeeper } from '../lease-keeper.ts'
import type { Service } from '../serve-target.ts'
import { bringGroup } from './bring-group.ts'
import { fillGroup } from './fill-group.ts'
import { forgetGroup, type KnownGroup, type LeasedGroup, leaseGroups, noteGroup, releaseGroups, renewGroups } from './group.store.ts'
import { accountsOf, correctMembers, dueMembers, recordMembers, wakeMembers } from './member.store.ts'
import { askGuard, mayDeleteGroup, wakeWithAccounts } from './member-guard.ts'
import { type GroupRecording, groupEvent, recordFailed, recordHeld, recordSettled, recordUntaken, tellDeed } from './record-group.ts'

/** Groups leased at a time: each lease looks through all that are due. */
const LEASE = 500

/** Somebody else has the group now. */
class LeaseLost extends Error {}

interface GroupService extends Service {
  readonly groups: GroupTarget
  readonly keeper: LeaseKeeper<LeasedGroup>
  readonly correlationId: string
  /** The target takes fewer at one time than are under way by now. */
  readonly crowded: () => boolean
}

const ending = ({ shouldEnd, abort, breaker }: Service): boolean => shouldEnd() || abort.aborted || breaker.room() === 0

/** Works off the groups of one target that are due, then resolves with how many groups and moved accounts were brought to an answer. */
export const serveGroups = async (service: Service): Promise<number> => {
  const { db, due, clock } = service
  const groups = groupsOf(service.target)
  let answered = 0
  await wakeWithAccounts(db, due)
  for (let woken = 1; woken > 0; answered += woken) woken = await wakeMembers(db, due)
  if (!groups) return answered + (await recordUntaken(db, due))
  const keeper = createLeaseKeeper({
    ...service,
    idOf: ({ id }: LeasedGroup) => id,
    renewLeases: (held, until) => renewGroups(db, due, { groups: held, until }),
  })
  service.abort.addEventListener('abort', keeper.abortAll)
  const serving = { ...service, groups, keeper, correlationId: uuidv7(clock.now().getTime()) }
  try {
    while (!ending(service)) {
      const now = clock.now()
      const limit = service.breaker.failing() ? 1 : LEASE
      const leased = await leaseGroups(db, due, { limit, now, until: new Date(now.getTime() + service.leaseSeconds * 1000) })
      if (leased.length === 0) break
      answered += await serveLeased(serving, leased)
    }
  } finally {
    service.abort.removeEventListener('abort', keeper.abortAll)
    keeper.stop()
  }
  return answered
}

/** Serves groups side by side, as many as the target takes at each moment; gives back those that were not begun. */
const serveLeased = async (service: Omit<GroupService, 'crowded'>, leased: readonly LeasedGroup[]): Promise<number> => {
  const { breaker, keeper } = service
  const waiting = leased.map((row) => ({ row, abort: new AbortController() }))
  for (const held of waiting) keeper.hold(held)
  let [answered, next, underWay] = [0, 0, 0]
  let broken: { readonly error: unknown } | undefined
  let wake = () => {}
  const crowded = () => underWay > breaker.room()
  const begin = async (held: Held<LeasedGroup>) => {
    underWay += 1
    try {
      if (keeper.mayAct(held) && (await serveGroup({ ...service, crowded }, held))) answered += 1
    } catch (error) {
      broken = { error }
    }
    keeper.letGo(held.row.id)
    underWay -= 1
    wake()
  }
  for (;;) {
    const room = broken || ending(service) ? 0 : breaker.room()
    for (const held of waiting.slice(next, next + Math.max(0, room - underWay))) {
      next += 1
      void begin(held)
    }
    if (underWay === 0 && (room === 0 || next === waiting.length)) break
    if (underWay > 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  const left = waiting.slice(next).map(({ row }) => row)
  if (left.length > 0) await releaseGroups(service.db, service.due, left)
  for (const { id } of left) keeper.letGo(id)
  if (broken) throw broken.error
  return answered
}

interface HeldGroup {
  readonly group: LeasedGroup
  readonly signal: AbortSignal
}

/** One group's turn. False when the right to act was lost, and there is nothing to record. */
const serveGroup = async (service: GroupService, { row: group, abort: { signal } }: Held<LeasedGroup>): Promise<boolean> => {
  const { db, clock, due, breaker, random, correlationId } = service
  const recording = { due, group, now: clock.now(), correlationId }
  try {
    await bringInStep(service, { group, signal }, recording)
    return true
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost) return false
    const failure = failureOf(error)
    breaker.failed(group.id, failure)
    const now = clock.now()
    const facts = { attempts: group.attempts, now, targetFailing: breaker.failing(), resumesAt: breaker.resumesAt(), random }
    await recordFailed(db, { ...recording, now }, { failure, standing: afterFailure(failure, facts), uncertain: leavesDoubt(error) })
    return true
  }
}

const leavesDoubt = (error: unknown): boolean =>
  !(error instanceof ConnectorError) || error.code === 'TARGET_UNCERTAIN' || error.code === 'TARGET_ABORTED'

const bringInStep = async (service: GroupService, { group, signal }: HeldGroup, recording: GroupRecording): Promise<void> => {
  const { db, due, groups, breaker, clock } = service
  const admins = await accountsOf(db, due, group.settings.admins ?? [])
  const document = groups.documentOf({ ...group.settings, externalId: group.id, name: group.name, admins })
  const note = async (known: KnownGroup): Promise<void> => {
    const noted = await noteGroup(db, due, { group, known })
    if (noted === 'lost') throw new LeaseLost()
    if (noted === 'taken')
      throw new ConnectorError({ code: 'TARGET_EXISTS', detail: `the group ${known.remoteId} is another one's of ours` })
  }
  if (!group.wanted && !(await mayDeleteGroup(db, due, { groupId: group.id, now: clock.now() }))) return recordHeld(db, recording)
  const hash = hashDocument(document)
  const { deed, remoteId } = await bringGroup(groups, { group, document, hash, signal, note })
  if (deed !== 'none') breaker.succeeded()
  await tellDeed(db, recording, deed)
  if (remoteId === null) return forgetGroup(db, due, group)
  if (group.uncertain || deed === 'linked') await correctMembers(db, due, { group, accounts: await groups.members(remoteId, { signal }) })
  await fillFromDue(service, { group, signal }, { remoteId, recording })
}

/** Chunk by chunk until nobody of the group is due, or the turn is over; the rest is due in the next. */
const fillFromDue = async (
  service: GroupService,
  { group, signal }: HeldGroup,
  { remoteId, recording }: { remoteId: string; recording: GroupRecording },
): Promise<void> => {
  const { db, due, groups, breaker, clock, crowded } = service
  let after: string | undefined
  while (!ending(service) && !crowded()) {
    const members = await dueMembers(db, due, { groupId: group.id, after, limit: groups.chunk })
    if (members.length === 0) break
    const allowed = await askGuard(db, due, { members, now: clock.now() })
    const { answers, added, removed, error } = await fillGroup({ target: groups, remoteId, signal }, allowed)
    if (added + removed > 0) breaker.succeeded()
    const correlationId = members.find((member) => member.correlationId !== null)?.correlationId ?? recording.correlationId
    const told = { ...recording, group: { ...group, correlationId }, now: clock.now() }
    const event = added + removed > 0 ? groupEvent(told, 'target.group.members', { added, removed }) : undefined
    if (answers.length > 0 && (await recordMembers(db, due, { group, answers, event })) === 0) throw new LeaseLost()
    if (error !== undefined) throw await forgettingGone(service, { group, error })
    // whoever came meanwhile is due in the next turn
    if (members.length < groups.chunk) break
    after = members.at(-1)?.userId
  }
  await recordSettled(db, { ...recording, now: clock.now() })
}

/** A group that vanished at the target is forgotten, so that the next attempt makes it anew with all its members. */
const forgettingGone = async ({ db, due }: GroupService, { group, error }: { group: LeasedGroup; error: unknown }): Promise<unknown> => {
  if (!(error instanceof ConnectorError) || error.code !== 'TARGET_GONE') return error
  await noteGroup(db, due, { group, known: { remoteId: null, document: null, hash: null, uncertain: false } })
  return new ConnectorError({ code: 'TARGET_GONE', detail: error.detail, retryable: true })
}
