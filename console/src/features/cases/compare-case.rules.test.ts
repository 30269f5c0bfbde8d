import type { MatchCaseDetail } from '@instep/contract/match-cases.ts'
import { expect, it } from 'vitest'
import { compareCase } from './compare-case.rules.ts'

const person = (values: Record<string, string | null>) => ({ userId: 'a', values }) as MatchCaseDetail['people'][number]

it('what nobody has is not shown, and what one of them lacks is not called different', () => {
  const compared = compareCase({ values: { title: 'Cashier', division: null }, people: [person({ givenName: 'Ada', division: null })] })
  expect(compared.map(({ field, people }) => [field, people[0]?.likeness])).toEqual([
    ['givenName', 'unknown'],
    ['title', 'unknown'],
  ])
})

it('agreement comes first, whatever the case', () => {
  const compared = compareCase({
    values: { externalId: 'X1', givenName: 'ada', workEmail: 'A@x.example' },
    people: [person({ externalId: 'E1', givenName: 'Ada ', workEmail: 'a@X.example' })],
  })
  expect(compared.map(({ field, people }) => [field, people[0]?.likeness])).toEqual([
    ['givenName', 'same'],
    ['workEmail', 'same'],
    ['externalId', 'different'],
  ])
})
