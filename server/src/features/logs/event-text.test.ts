import english from '@instep/contract/locales/en_GB/events.json' with { type: 'json' }
import french from '@instep/contract/locales/fr_FR/events.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { eventLevel, eventText } from './event-text.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

describe('words of events', () => {
  it('are filled from the data, once: what stands in the data is not read for placeholders', () => {
    expect(eventText('connector.created', { name: '{{changed}} $& $1' }, 'en_GB')).toBe('The connector {{changed}} $& $1 was created.')
  })

  it('leave a gap where the data has none, and never say undefined or null', () => {
    expect(eventText('user.created', { user: null }, 'en_GB')).toBe(' was created.')
    expect(eventText('user.created', {}, 'en_GB')).toBe(' was created.')
  })

  it('fall back to en_GB for another language, and to the type for an event nobody has words for', () => {
    expect(eventText('user.created', { user: 'Ada' }, 'fr_FR')).toBe('Ada a été créé.')
    expect(eventText('user.created', { user: 'Ada' }, 'de_DE')).toBe('Ada was created.')
    expect(eventText('something.else', {}, 'fr_FR')).toBe('something.else')
    expect(eventText('toString', {}, 'constructor')).toBe('toString')
  })

  it('are there in both languages, with the same placeholders', () => {
    expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort())
    for (const [type, words] of Object.entries(english))
      expect(placeholders(french[type as keyof typeof french]), type).toEqual(placeholders(words))
  })
})

describe('the level of an event', () => {
  it.each([
    ['run.failed', 'error'],
    ['target.account.quarantined', 'error'],
    ['run.held', 'warning'],
    ['run.applied', 'success'],
    ['connector.updated', 'information'],
    ['never.heard', 'information'],
    ['toString', 'information'],
  ])('%s is %s', (type, level) => expect(eventLevel(type)).toBe(level))
})
