import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, decideMatch } from './match.rules.ts'

const nobody = { birthDate: null, employmentType: null }
const candidate = (change: Partial<Candidate> = {}): Candidate => ({
  userId: 'a',
  foundBy: ['EmployeeId'],
  displayName: 'Ada',
  connectorName: 'HR',
  place: 'linked',
  present: false,
  claims: 1,
  active: true,
  birthDate: null,
  employmentType: null,
  ...change,
})

describe('a record is asked about', () => {
  it.each([
    ['ambiguous', [candidate(), candidate({ userId: 'b' })]],
    ['ambiguous', [candidate(), candidate({ userId: 'b', foundBy: ['taken'] })]],
    ['claimed', [candidate({ present: true })]],
    ['claimed', [candidate({ claims: 2 })]],
    ['adopt', [candidate({ place: 'unlinked', claims: 1 })]],
    ['adopt', [candidate({ foundBy: ['taken'], claims: 0 })]],
    ['otherConnector', [candidate({ place: 'elsewhere' })]],
    ['rehire', [candidate({ foundBy: ['nameAndBirthDate'], active: false })]],
    ['samePerson', [candidate({ foundBy: ['personalPhone'] })]],
  ] as const)('%s', (kind, candidates) => {
    expect(decideMatch(nobody, candidates, 'ask')).toEqual({ verdict: 'case', kind })
  })

  it('when the key finds somebody born on another day', () => {
    expect(decideMatch({ ...nobody, birthDate: '1990-01-01' }, [candidate({ birthDate: '1970-01-01' })], 'ask')).toMatchObject({
      kind: 'contradicts',
    })
  })

  it('when somebody alike is employed in another way', () => {
    const alike = candidate({ foundBy: ['nameAndBirthDate'], employmentType: 'Contractor' })
    expect(decideMatch({ ...nobody, employmentType: 'Employee' }, [alike], 'ask')).toMatchObject({ kind: 'contractorToEmployee' })
    expect(decideMatch({ ...nobody, employmentType: 'contractor' }, [alike], 'ask')).toMatchObject({ kind: 'samePerson' })
  })
})

describe('a record', () => {
  it('is linked to the only person found, by the first key that found them', () => {
    expect(decideMatch(nobody, [candidate({ foundBy: ['Email', 'taken'] })], 'off')).toEqual({ verdict: 'link', userId: 'a', by: 'Email' })
  })

  it('that looks like somebody is noted, or new, as the connector wants it', () => {
    const alike = [candidate({ foundBy: ['personalEmail'] })]
    expect(decideMatch(nobody, alike, 'note')).toEqual({ verdict: 'note' })
    expect(decideMatch(nobody, alike, 'off')).toEqual({ verdict: 'new' })
  })
})

const candidates = fc.uniqueArray(
  fc.record({
    userId: fc.constantFrom('a', 'b', 'c'),
    foundBy: fc.uniqueArray(fc.constantFrom('EmployeeId', 'Email', 'taken', 'nameAndBirthDate', 'personalPhone'), { minLength: 1 }),
    displayName: fc.constant('Ada'),
    connectorName: fc.constant('HR'),
    place: fc.constantFrom('linked', 'unlinked', 'elsewhere'),
    present: fc.boolean(),
    claims: fc.integer({ min: 0, max: 2 }),
    active: fc.boolean(),
    birthDate: fc.constantFrom(null, '1970-01-01', '1990-01-01'),
    employmentType: fc.constantFrom(null, 'Employee', 'Contractor'),
  }),
  { selector: ({ userId }) => userId, maxLength: 3 },
) as fc.Arbitrary<Candidate[]>

it('nobody is ever linked but the one person of this source whom nobody else claims; and nothing passes unasked that was found', () => {
  fc.assert(
    fc.property(candidates, fc.constantFrom(null, '1970-01-01'), fc.constantFrom('ask', 'note', 'off'), (found, birthDate, act) => {
      const verdict = decideMatch({ birthDate, employmentType: null }, found, act)
      const sure = found.filter(({ foundBy }) => foundBy.some((by) => ['EmployeeId', 'Email', 'taken'].includes(by)))
      const free = sure.filter(
        (one) =>
          one.place === 'linked' &&
          !one.present &&
          one.claims < 2 &&
          one.foundBy.some((by) => by === 'EmployeeId' || by === 'Email') &&
          (birthDate === null || one.birthDate === null || one.birthDate === birthDate),
      )
      expect(verdict.verdict === 'link').toBe(sure.length === 1 && free.length === 1)
      if (sure.length > 0) expect(['link', 'case']).toContain(verdict.verdict)
      else if (found.length === 0) expect(verdict.verdict).toBe('new')
      else expect(verdict.verdict).toBe({ ask: 'case', note: 'note', off: 'new' }[act])
    }),
    { seed: 20_261_121, numRuns: 2000 },
  )
})
