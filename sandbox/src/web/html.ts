/** HTML out of template literals: what is put in is escaped unless it is HTML itself. */

export interface Html {
  readonly html: string
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
  return 'html' in part ? part.html : part.map(render).join('')
}

/** Tag of a template literal; lists are put side by side, `false`, null and undefined are left out. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, index) => text + render(parts[index])).join(''),
})
