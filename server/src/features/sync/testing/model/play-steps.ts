import type { Database } from '../../../../platform/db/database.ts'
import { clearOverride, lapse, movePeople, passDates, setOverride } from './carry-out.ts'
import { effectiveOf, emptyDirectory, type Person } from './directory.ts'
import { createHr } from './hr.ts'
import { compareWorlds } from './look-at-people.ts'
import { modelWorld } from './model-world.ts'
import { decide, expect, Parted, type Play, pick, sync, syncAgain, undo } from './play.ts'
import { dayAt, endOfDay } from './sites.ts'
import { OVERRIDES, type OverrideField, type Step } from './steps.ts'

const START = Date.parse('2026-03-02T06:00:00Z')
const HOUR = 3_600_000

type Of<Kind extends Step['do']> = Extract<Step, { do: Kind }>

const inputOf: Record<OverrideField, (value: unknown) => Record<string, unknown>> = {
  department: (department) => ({ enterprise: { department } }),
  givenName: (givenName) => ({ name: { givenName } }),
  locationName: (formatted) => ({ addresses: [{ formatted }] }),
  startDate: (startDate) => ({ startDate }),
  endDate: (endDate) => ({ endDate }),
  active: (active) => ({ active }),
}

const KEY_OF: Record<OverrideField, string> = {
  department: 'department',
  givenName: 'name.givenName',
  locationName: 'addresses.formatted',
  startDate: 'startDate',
  endDate: 'endDate',
  active: 'active',
}

/** Whether an edit of a date would have somebody leave before they come, which is refused. */
const turnsRound = (person: Person, field: string, value: unknown): boolean => {
  const dates: Record<string, unknown> = { ...effectiveOf(person).values, [field]: value }
  const { startDate, endDate } = dates
  return (field === 'startDate' || field === 'endDate') && Boolean(startDate && endDate && String(endDate) < String(startDate))
}

const idOf = ({ ids }: Play, { name }: Person): string => ids.get(name) ?? ''

const override = async (play: Play, { who, field, value: place, days }: Of<'override'>): Promise<void> => {
  const person = pick(play.model.people, who)
  const value = pick<string | boolean | null>(OVERRIDES[field], place) ?? null
  if (!person) return
  const { values, active } = effectiveOf(person)
  if (value === (field === 'active' ? active : (values[field] ?? null)) || turnsRound(person, field, value)) return
  const { now } = play.model
  const day = days === null ? null : dayAt(person.site, now + days * 24 * HOUR)
  const until = day === null ? null : endOfDay(day, person.site)
  await play.world.edit(idOf(play, person), { ...inputOf[field](value), ...(day !== null && { overrideUntil: day }) })
  setOverride(person, { field, override: { value, until }, at: now })
}

const clear = async (play: Play, { who, field }: Of<'clearOverride'>): Promise<void> => {
  const person = pick(play.model.people, who)
  if (!person) return
  await play.world.edit(idOf(play, person), { overrides: { [KEY_OF[field]]: null } })
  clearOverride(person, { field, at: play.model.now })
}

const answer = async ({ world, model }: Play, { which, decision }: Of<'answer'>): Promise<void> => {
  const open = [...model.cases].filter(([, { answer: given }]) => given === null).map(([key]) => key)
  const key = pick(open, which)
  if (key === undefined) return
  const isTaken = model.people.some((person) => effectiveOf(person).values['externalId'] === key)
  if (decision === 'create' && isTaken) return
  await world.answer(key, decision)
  model.cases.set(key, { kind: model.cases.get(key)?.kind ?? '', answer: decision })
}

const passTime = async ({ world, model }: Play, { hours }: Of<'time'>): Promise<void> => {
  model.now += hours * HOUR
  world.setTime(model.now)
  for (let held = await world.passTime(), rounds = 0; ; held = await world.passTime(), rounds += 1) {
    const ending = passDates(model, { ends: !held })
    lapse(model)
    if (!held) return
    if (ending === 0 || rounds > 3) throw new Parted(`end dates are held where ${ending} end`)
    await world.allowDates()
  }
}

/** What each step does to HR, or to both worlds. */
const PLAYED: { readonly [Kind in Step['do']]: (play: Play, step: Of<Kind>) => Promise<unknown> | undefined } = {
  hire: ({ hr }, { more }) => void hr.hire(more) as undefined,
  change: ({ hr }, { who, what }) => {
    const person = pick(hr.people, who)
    if (person) person.row = { ...person.row, ...what }
    return undefined
  },
  comeOrGo: ({ hr }, { who }) => {
    const person = pick(hr.people, who)
    if (person) person.here = !person.here
    return undefined
  },
  writeTwice: ({ hr }, { who }) => {
    const person = pick(hr.people, who)
    if (person) person.twice = !person.twice
    return undefined
  },
  renameKey: ({ hr }, { who, to }) => {
    const person = pick(hr.people, who)
    // some are keys that others have or had
    if (person) person.row = { ...person.row, id: to < 4 ? `E${to + 1}` : `R${to}` }
    return undefined
  },
  swapKeys: ({ hr }, { who, other }) => {
    const [one, two] = [pick(hr.people, who), pick(hr.people, other)]
    if (!one || !two) return undefined
    const { id } = one.row
    one.row = { ...one.row, id: two.row.id }
    two.row = { ...two.row, id }
    return undefined
  },
  sync,
  syncAgain,
  decide: (play, { ends }) => (play.waiting ? decide(play, play.waiting, { ends }) : undefined),
  undo,
  override,
  clearOverride: clear,
  match: ({ world, model }, { keys }) => {
    model.keys = keys
    return world.match(keys)
  },
  place: ({ world, model, mapping }, { rules }) => {
    if (model.rules !== rules) mapping.count += 1
    model.rules = rules
    return world.place(rules)
  },
  grace: ({ world, model }, { days }) => {
    model.graceDays = days
    return world.keep(days)
  },
  answer,
  move: async ({ world, model }, { north }) => {
    const [from, to] = north ? (['South', 'North'] as const) : (['North', 'South'] as const)
    await world.move(from, to)
    movePeople(model, from, to)
  },
  time: passTime,
}

const playStep = <Kind extends Step['do']>(play: Play, step: Of<Kind> & { do: Kind }): Promise<unknown> | undefined =>
  (PLAYED[step.do] as (play: Play, step: Of<Kind>) => Promise<unknown> | undefined)(play, step)

/** Fails where directory and model differ, or where somebody is somebody else than before. */
const compare = async (play: Play): Promise<void> => {
  const { world, model } = play
  const { findings, ids } = await compareWorlds(world.database, world.tenantId, model)
  if (findings.length > 0) throw new Parted(findings.join('; '))
  for (const person of model.people) {
    const id = ids.get(String(effectiveOf(person).values['externalId'])) ?? ''
    expect(id, play.ids.get(person.name) ?? id, `who ${person.name} is`)
    play.ids.set(person.name, id)
  }
}

/** Lives through a sequence in a tenant of its own, and fails as soon as the directory is not what the model says. */
export const playSequence = async (database: Database, steps: readonly Step[]): Promise<void> => {
  const world = await modelWorld(database)
  const play: Play = {
    world,
    hr: createHr(),
    model: emptyDirectory(START),
    reading: 'dept',
    mapping: { count: 0, reading: null },
    waiting: undefined,
    done: [],
    ids: new Map(),
  }
  world.setTime(START)
  for (const more of [{}, { start: '2026-03-04' }, { end: '2026-03-04' }, { boss: 'E1' }, {}, {}, {}]) play.hr.hire(more)
  try {
    for (const [place, step] of [{ do: 'syncAgain' } as const, ...steps, { do: 'syncAgain' } as const].entries()) {
      try {
        await playStep(play, step)
        await compare(play)
      } catch (error) {
        throw new Parted(`step ${place} (${step.do}): ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      }
    }
  } finally {
    world.close()
  }
}
