import i18next from 'i18next'
import { expect, test } from 'vitest'
import { isolatedWords } from './isolated-words.ts'

const wordsIn = async (language: string) => {
  const words = i18next.createInstance().use(isolatedWords((one) => one !== 'ar'))
  await words.init({
    lng: language,
    fallbackLng: 'en-GB',
    postProcess: ['isolatedWords'],
    resources: { 'en-GB': { translation: { shown: '{{shown}} of {{all}} shown' } } },
  })
  return words.t
}

test('a text that fell back keeps its own direction on a page from right to left', async () => {
  expect((await wordsIn('ar'))('shown', { shown: 10, all: 48 })).toBe('\u206810 of 48 shown\u2069')
})

test('nothing stays nothing', async () => {
  const t = await wordsIn('ar')
  expect(t('absent', { defaultValue: '' })).toBe('')
})

test.each(['en-GB', 'sv-SE', 'he-IL'])('words of %s stay as they are', async (language) => {
  expect((await wordsIn(language))('shown', { shown: 10, all: 48 })).toBe('10 of 48 shown')
})
