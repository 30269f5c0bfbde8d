import { describe, expect, it } from 'vitest'
import { html, renderHtml, trustedHtml } from './html.ts'
import enGB from './locales/en_GB.json' with { type: 'json' }
import frFR from './locales/fr_FR.json' with { type: 'json' }
import { fill, wordsFor } from './words.ts'

const leaves = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`)) : [path]

const places = (value: unknown): string[] => [...JSON.stringify(value).matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

describe('the texts of the sign-in pages', () => {
  it('exist in both languages, with the same places to fill', () => {
    expect(leaves(frFR)).toEqual(leaves(enGB))
    expect(places(frFR)).toEqual(places(enGB))
  })

  it.each([
    [{}, 'en-GB'],
    [{ uiLocales: 'de-DE ja' }, 'en-GB'],
    [{ uiLocales: 'fr_FR' }, 'fr-FR'],
    [{ uiLocales: 'de fr-CA en' }, 'fr-FR'],
    [{ acceptLanguage: 'fr;q=0.3, en-US;q=0.9' }, 'en-GB'],
    [{ acceptLanguage: 'fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5' }, 'fr-FR'],
    [{ acceptLanguage: 'fr;q=0, en;q=0.1' }, 'en-GB'],
    [{ acceptLanguage: ';;;,,q=x' }, 'en-GB'],
    [{ uiLocales: 'en', acceptLanguage: 'fr' }, 'en-GB'],
  ])('are chosen for %j', (wish, lang) => {
    expect(wordsFor(wish).lang).toBe(lang)
  })

  it('keep a place that nothing fills', () => {
    expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}')
  })
})

describe('the html template', () => {
  it('escapes every value but html', () => {
    const name = `<b title="x" class='y'>&</b>`
    expect(renderHtml(html`<p>${name}${html`<i>${name}</i>`}</p>`)).toBe(
      '<p>&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;&lt;/b&gt;<i>&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;&lt;/b&gt;</i></p>',
    )
  })

  it('joins lists and leaves out what is absent', () => {
    expect(renderHtml(html`${[html`<a>`, 'b', 3]}${undefined}${false}${trustedHtml('<hr>')}`)).toBe('<a>b3<hr>')
  })
})
