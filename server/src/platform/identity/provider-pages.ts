import type { KoaContextWithOIDC } from 'oidc-provider'
import { html, trustedHtml } from './html.ts'
import { backLink, renderPage } from './page.ts'
import { type Words, wordsFor } from './words.ts'

const wordsOf = (ctx: KoaContextWithOIDC): Words => {
  const asked = ctx.oidc?.params?.ui_locales
  return wordsFor({ uiLocales: typeof asked === 'string' ? asked : undefined, acceptLanguage: ctx.get('accept-language') })
}

/** The page for a request which the provider cannot answer with a redirect. Details are for the log, not for the page. */
export const providerErrorPage =
  (publicUrl: string) =>
  (ctx: KoaContextWithOIDC, out: { error: string }): void => {
    const words = wordsOf(ctx)
    const expired = out.error === 'invalid_request' && ctx.oidc?.route === 'resume'
    ctx.type = 'html'
    ctx.body = renderPage({
      words,
      heading: expired ? words.errors.expiredHeading : words.errors.providerHeading,
      intro: expired ? words.errors.expired : words.errors.provider,
      body: [
        html`<p class="reference">${words.errors.reference.replace('{code}', '')}<code>${out.error}</code></p>`,
        backLink(words, publicUrl),
      ],
    })
  }

/**
 * The question whether to sign out. Whoever brings a valid token of the signed-in person has said so already: there the
 * form sends itself, with a button for browsers without JavaScript.
 *
 * @param form the form that the provider made, with its protection against forged requests
 */
export const logoutPage = (ctx: KoaContextWithOIDC, form: string): void => {
  const words = wordsOf(ctx)
  const sure = ctx.oidc.entities.IdTokenHint?.payload.sub === ctx.oidc.session?.accountId
  const { heading, text } = sure ? words.signingOut : words.signOut
  ctx.type = 'html'
  ctx.body = renderPage({
    words,
    heading,
    intro: text,
    body: [
      trustedHtml(form),
      html`<div class="actions"><button class="primary" type="submit" form="op.logoutForm" name="logout" value="yes" id="confirm">${words.signOut.submit}</button>
${!sure && html`<button type="submit" form="op.logoutForm">${words.signOut.stay}</button>`}</div>`,
      html`${sure && html`<script src="/identity/confirm.js" defer></script>`}`,
    ],
  })
}

/** The page after signing out without an address to return to. */
export const signedOutPage =
  (publicUrl: string) =>
  (ctx: KoaContextWithOIDC): void => {
    const words = wordsOf(ctx)
    ctx.type = 'html'
    ctx.body = renderPage({ words, heading: words.signedOut.heading, intro: words.signedOut.text, body: backLink(words, publicUrl) })
  }
