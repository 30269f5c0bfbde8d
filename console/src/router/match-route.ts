/** What an address leads to. */
export interface Match<Entry> {
  route: Entry
  /** Parts of the address by their name in the path: `/runs/$runId` gives `runId`. */
  params: Readonly<Record<string, string>>
}

const partsOf = (path: string): string[] => path.split('/').filter(Boolean)

const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** The params with which a path, `/sites/$siteId`, is the address; null where it is not. */
const paramsOf = (path: string, address: readonly string[]): Record<string, string> | null => {
  const pattern = partsOf(path)
  if (pattern.length !== address.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const given = decoded(address[index] ?? '')
    if (given === null) return null
    if (part.startsWith('$')) params[part.slice(1)] = given
    else if (part !== given.toLowerCase()) return null
  }
  return params
}

/** The route whose path the address has; null where there is none. A slash at the end and capitals make no difference. */
export const matchRoute = <Entry extends { path: string }>(routes: readonly Entry[], pathname: string): Match<Entry> | null => {
  const address = partsOf(pathname)
  for (const route of routes) {
    const params = paramsOf(route.path, address)
    if (params) return { route, params }
  }
  return null
}
