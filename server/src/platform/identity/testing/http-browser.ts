/** What a page answered, after the redirects that stayed on the server. */
export interface Answer {
  status: number
  /** The address of the answer. A redirect into the console (`/auth/…`) is not followed: it is the answer. */
  url: URL
  text: string
  headers: Headers
}

interface Cookie {
  name: string
  value: string
  path: string
}

/** A browser without a screen: keeps cookies by path, follows redirects, names its origin with posts. */
export interface HttpBrowser {
  get(url: string | URL, headers?: Record<string, string>): Promise<Answer>
  post(url: string | URL, form: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  cookies: Map<string, Cookie>
}

const keepCookies = (jar: Map<string, Cookie>, response: Response) => {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const value = pair.slice(at + 1)
    const path = attributes.find((text) => text.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
    const gone = value === '' || attributes.some((text) => text.includes('01 Jan 1970'))
    if (gone) jar.delete(`${path} ${name}`)
    else jar.set(`${path} ${name}`, { name, value, path })
  }
}

const cookieHeader = (jar: Map<string, Cookie>, url: URL): string =>
  [...jar.values()]
    .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')

/** Opens a browser with an empty cookie jar. */
export const createHttpBrowser = (): HttpBrowser => {
  const cookies = new Map<string, Cookie>()
  const load = async (url: URL, init: RequestInit, hops = 0): Promise<Answer> => {
    const headers = { ...(init.headers as Record<string, string> | undefined), cookie: cookieHeader(cookies, url) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    keepCookies(cookies, response)
    const location = response.headers.get('location')
    if (location === null) return { status: response.status, url, text: await response.text(), headers: response.headers }
    const next = new URL(location, url)
    const leaves = next.pathname.startsWith('/auth/') || next.origin !== url.origin || hops > 8
    if (leaves) return { status: response.status, url: next, text: await response.text(), headers: response.headers }
    return await load(next, { headers: init.headers ?? {} }, hops + 1)
  }
  return {
    cookies,
    get: (url, headers = {}) => load(new URL(url), { headers }),
    post: (url, form, headers = {}) => {
      const target = new URL(url)
      return load(target, { method: 'POST', body: new URLSearchParams(form), headers: { origin: target.origin, ...headers } })
    },
  }
}
