/** The HR system of one company: its people today, what changed this morning, and what is wrong with its export. */
import type { Journal } from '../journal.ts'
import type { WorldCompany } from '../world.ts'
import { firstStaff, type Person } from './people.ts'
import { type DayChange, startOfDay } from './start-of-day.ts'
import { isTrouble, type Trouble } from './trouble.ts'

export interface HrSystem {
  readonly company: WorldCompany
  day(): number
  trouble(): Trouble | null
  /** By external id. */
  people(): readonly Person[]
  /** What this day's start changed; empty on the first day. */
  changes(): readonly DayChange[]
  /** Goes to the next day, which also ends what was wrong. */
  nextDay(): readonly DayChange[]
  /** Makes the export of this day go wrong, or right again. */
  setTrouble(trouble: Trouble | null): void
}

const COLLECTION = 'hr'

/** The remembered day is played from the first, so it needs no record of its people. */
export const openHrSystem = (company: WorldCompany, world: { people: number; seed: number; journal: Journal }): HrSystem => {
  const { seed, journal } = world
  const size = company.size === 'asked' ? world.people : company.size
  const staff = firstStaff(company, size, seed)
  const remembered = journal.read(COLLECTION).get(company.slug) as { day: number; trouble: unknown } | undefined
  let trouble = isTrouble(remembered?.trouble) ? remembered.trouble : null
  let day = 1
  let changes: DayChange[] = []
  const step = () => {
    day += 1
    changes = startOfDay({ company, staff, seed, size }, day)
  }
  const remember = () => journal.put(COLLECTION, company.slug, { day, trouble })
  while (day < (remembered?.day ?? 1)) step()
  return {
    company,
    day: () => day,
    trouble: () => trouble,
    people: () => [...staff.people.values()],
    changes: () => changes,
    nextDay: () => {
      step()
      trouble = null
      remember()
      return changes
    },
    setTrouble: (next) => {
      trouble = next
      remember()
    },
  }
}
