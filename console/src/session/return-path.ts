/**
 * The path to come back to after signing in, or `/`. Only paths of our own origin, and none of the sign-in's own pages.
 *
 * @param wanted a path with query and fragment; an absolute address is taken when it is ours
 */
export const returnPath = (wanted: string, origin: string): string => {
  const url = URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined
  if (url === undefined || url.origin !== origin || url.pathname.startsWith('/auth/')) return '/'
  // A path such as //elsewhere.example would leave the origin when it is used as an address.
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') ? '/' : path
}
