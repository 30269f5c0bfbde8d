import { describe, expect, it } from 'vitest'
import { planWords } from './plan-words.ts'
import { reasonText } from './reason-text.ts'

const ENGLISH = planWords(undefined)
const FRENCH = planWords('fr-CA, en;q=0.5')
const row = { kind: 'update', reasons: [], before: {}, after: {} } as const

describe('a row of a downloaded plan says', () => {
  it('what changes, from what to what, as people write it', () => {
    const changed = {
      ...row,
      before: { department: 'Toys', endDate: null, placement: 'a', active: true },
      after: { department: 'Food', endDate: '2026-11-20', placement: 'b', active: false, employment: 'ended' },
    }
    expect(reasonText(changed, ENGLISH)).toBe('Changed: Department Toys → Food; End date – → 20/11/2026; Site; Status.')
  })

  it('why, with fields, days and times as people read them, in their language', () => {
    const invalid = { ...row, kind: 'invalid', reasons: [{ code: 'email', field: 'workEmail', params: { value: '$& no' } }] } as const
    expect(reasonText(invalid, ENGLISH)).toBe('Work email: “$& no” is not an email address.')
    expect(reasonText(invalid, FRENCH)).not.toContain('Work email')
    const later = { ...row, kind: 'future', reasons: [{ code: 'startsLater', params: { date: '2026-12-01' } }] } as const
    expect(reasonText(later, ENGLISH)).toBe('Starts on 01/12/2026; inactive until then.')
    const params = { name: 'Ada', at: '2026-11-22T20:05:29.234Z' }
    const kept = { ...row, kind: 'unchanged', reasons: [{ code: 'changedSince', field: 'title', params }] } as const
    expect(reasonText(kept, ENGLISH)).toBe('Job title was changed after the run by Ada (2026-11-22 20:05:29 UTC) and stays as it is.')
  })

  it('why an expression could not be carried out, in the words of the reader', () => {
    const params = { value: 'x', detail: 'It takes too many steps.', because: 'steps' }
    const stopped = { ...row, kind: 'invalid', reasons: [{ code: 'expressionLimit', field: 'title', params }] } as const
    expect(reasonText(stopped, FRENCH)).toContain('Elle demande trop d’étapes.')
  })
})
