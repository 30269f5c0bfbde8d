import { type Html, html, renderHtml } from './html.ts'
import { fill, type Words } from './words.ts'

/** A page of the provider: one sheet on paper. */
export interface Page {
  words: Words
  heading: string
  intro?: string | undefined
  /** What went wrong, in words; shown first and announced. */
  problem?: string | undefined
  body: Html | readonly Html[]
}

const brandMark = html`<svg class="mark" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true" focusable="false"><path d="M4.5 5.5h15M4.5 12h10.5M4.5 18.5h7" /><circle cx="18.6" cy="17.6" r="2.6" /></svg>`

/** A whole page as text. Works without JavaScript. */
export const renderPage = ({ words, heading, intro, problem, body }: Page): string => {
  const title = fill(words.title, { page: heading })
  return renderHtml(html`<!doctype html>
<html lang="${words.lang}" dir="${words.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${problem === undefined ? title : fill(words.errorTitle, { title })}</title>
<link rel="stylesheet" href="/identity/style.css">
</head>
<body>
<header class="brand">${brandMark}<span>Instep</span></header>
<main class="sheet">
<h1>${heading}</h1>
${intro !== undefined && html`<p class="intro">${intro}</p>`}
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${body}
</main>
</body>
</html>
`)
}

/** A text field with its label, hint and message. */
export interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  value?: string | undefined
  hint?: string | undefined
  problem?: string | undefined
  autofocus?: boolean
  numeric?: boolean
}

/** One labelled field; its hint and message belong to it for a screen reader too. */
export const renderField = (field: Field): Html => {
  const { name, label, type, autocomplete, value, hint, problem } = field
  const describedBy = [hint === undefined ? '' : `${name}-hint`, problem === undefined ? '' : `${name}-problem`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required dir="${type === 'password' ? 'auto' : 'ltr'}"
${type === 'email' && html`autocapitalize="none" spellcheck="false"`}
${field.numeric === true && html`inputmode="numeric" maxlength="7" class="digits"`}
${value !== undefined && value !== '' && html`value="${value}"`}
${describedBy !== '' && html`aria-describedby="${describedBy}"`}
${problem !== undefined && html`aria-invalid="true"`}
${field.autofocus === true && html`autofocus`}>
${problem !== undefined && html`<p class="field-problem" id="${name}-problem">${problem}</p>`}
</div>`
}

/** The way back to the product. */
export const backLink = (words: Words, publicUrl: string): Html =>
  html`<p class="onward"><a class="button" href="${publicUrl}/">${words.back}</a></p>`
