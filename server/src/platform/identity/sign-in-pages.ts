import { type Html, html } from './html.ts'
import type { SandboxSignIn } from './identity-settings.ts'
import { renderField, renderPage } from './page.ts'
import type { Words } from './words.ts'

/** The first step: email and password, and in the sandbox the people to sign in as. */
export interface PasswordPage {
  words: Words
  email?: string | undefined
  problem?: 'refused' | 'noAccess' | undefined
  missing?: { email: boolean; password: boolean } | undefined
  sandboxSignIns: readonly SandboxSignIn[]
}

const roleWords = (words: Words, role: string): string => (words.roles as Record<string, string>)[role] ?? role

const chevron = html`<svg class="chevron" viewBox="0 0 24 24" width="15" height="15" aria-hidden="true" focusable="false"><path d="M9 6l6 6l-6 6" /></svg>`

const sandboxList = (words: Words, signIns: readonly SandboxSignIn[]): Html => html`<section class="sandbox" aria-labelledby="sandbox">
<h2 id="sandbox">${words.sandbox.heading}</h2>
<p class="intro">${words.sandbox.intro}</p>
<form method="post"><ul>
${signIns.map(
  ({ name, email, role }, index) => html`<li><button type="submit" name="sandbox" value="${index}">
<span class="who">${name}</span> <span class="role">${roleWords(words, role)}</span> <span class="address"><bdi>${email}</bdi></span>${chevron}</button></li>
`,
)}</ul></form>
</section>`

/** The page on which a sign-in begins. */
export const passwordPage = ({ words, email, problem, missing, sandboxSignIns }: PasswordPage): string => {
  const { signIn, problems } = words
  const incomplete = missing?.email === true || missing?.password === true
  const known = email !== undefined && email !== ''
  return renderPage({
    words,
    heading: signIn.heading,
    intro: signIn.intro,
    problem: problem === undefined ? (incomplete ? problems.heading : undefined) : problems[problem],
    body: [
      html`<form class="main" method="post">
${renderField({
  name: 'email',
  label: signIn.email,
  type: 'email',
  autocomplete: 'username',
  value: email,
  autofocus: !known,
  problem: missing?.email === true ? problems.emailMissing : undefined,
})}
${renderField({
  name: 'password',
  label: signIn.password,
  type: 'password',
  autocomplete: 'current-password',
  autofocus: known,
  problem: missing?.password === true ? problems.passwordMissing : undefined,
})}
<button class="primary" type="submit">${signIn.submit}</button>
</form>
<p class="note">${signIn.forgotten}</p>`,
      ...(sandboxSignIns.length > 0 ? [sandboxList(words, sandboxSignIns)] : []),
    ],
  })
}

/** The second step of an account with two factors. */
export const codePage = (words: Words, problem?: 'codeRefused' | 'codeMissing'): string => {
  const { code, problems } = words
  return renderPage({
    words,
    heading: code.heading,
    intro: code.intro,
    problem: problem === undefined ? undefined : problems[problem],
    body: html`<form class="main" method="post">
${renderField({ name: 'code', label: code.code, type: 'text', autocomplete: 'one-time-code', numeric: true, autofocus: true })}
<button class="primary" type="submit">${code.submit}</button>
<button class="quiet" type="submit" name="restart" value="yes" formnovalidate>${code.restart}</button>
</form>`,
  })
}
