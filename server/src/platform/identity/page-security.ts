/**
 * Headers of every page of the embedded provider. Scripts: only files of our own; the provider adds the hash of its
 * one inline script to `script-src`, which must be spelled out for that.
 *
 * @param formOrigins further origins to which a form may lead, through redirects as well
 */
export const pageSecurity = (formOrigins: readonly string[] = []): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "script-src 'self'",
    ["form-action 'self'", ...formOrigins].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';'),
  // Not no-referrer: with it browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
})
