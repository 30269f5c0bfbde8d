const markup = Symbol('markup')

/** Text that is already HTML. Only `html` makes it. */
export interface Html {
  readonly [markup]: string
}

type Piece = Html | string | number | undefined | false | readonly Piece[]

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)

const write = (piece: Piece): string => {
  if (piece === undefined || piece === false) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece))
  return markup in piece ? piece[markup] : piece.map(write).join('')
}

/** A template whose values are escaped, unless they are `Html` themselves; lists are joined, `undefined` and `false` vanish. */
export const html = (strings: TemplateStringsArray, ...values: Piece[]): Html => ({
  [markup]: strings.map((text, index) => text + (index < values.length ? write(values[index]) : '')).join(''),
})

/** Takes markup that somebody else made and vouches for, as it is. */
export const trustedHtml = (text: string): Html => ({ [markup]: text })

/** The text to send. */
export const renderHtml = (page: Html): string => page[markup]
