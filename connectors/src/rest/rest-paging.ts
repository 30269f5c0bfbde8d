import { createHash } from 'node:crypto'
import { valueAt } from './json-path.ts'
import { type Place, pageProblem } from './rest-answers.ts'
import type { RestSettings } from './rest-settings.ts'

/** A page as it came. */
export interface RestPage {
  readonly body: unknown
  readonly records: readonly unknown[]
  /** The `Link` header. */
  readonly link: string
}

/** The address of the first page. */
export const firstAddress = ({ url, paging }: RestSettings): URL => {
  const first = new URL(url)
  if (paging.sizeParameter !== '') first.searchParams.set(paging.sizeParameter, String(paging.size))
  if (paging.kind === 'page') first.searchParams.set(paging.parameter, String(paging.first))
  if (paging.kind === 'offset') first.searchParams.set(paging.parameter, '0')
  return first
}

const LINK = /<([^>]*)>((?:\s*;\s*[\w!#$&+.^`|~-]+\*?(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)/g

const PARAMETER = /;\s*([^\s=;]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?/g

/** The target of the first link that is `rel=next` (RFC 8288). */
const nextLink = (header: string): string | undefined => {
  for (const [, target = '', parameters = ''] of header.matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETER)].find(([, name = '']) => name.toLowerCase() === 'rel')
    if ((rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/).includes('next')) return target
  }
  return undefined
}

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const sameOrigin = (target: string, current: URL, place: Place): URL | undefined => {
  if (target === '') return undefined
  const next = URL.parse(target, current.href)
  // the next request carries the credentials
  if (next?.origin !== current.origin) throw pageProblem('SOURCE_NEXT_FOREIGN', place, { params: { to: next?.host ?? '' } })
  return next
}

const withParameter = (current: URL, name: string, value: string): URL => {
  const next = new URL(current)
  next.searchParams.set(name, value)
  return next
}

/**
 * Leads from page to page. `next` gives the address behind a page, undefined after the last. Numbered pages end with an empty one and not with a short
 * one: many systems give fewer records than asked for. Throws SOURCE_LOOP, SOURCE_NEXT_FOREIGN, SOURCE_PAGES_TOO_MANY.
 */
export const createPager = ({ paging }: RestSettings, host: string) => {
  const addresses = new Set<string>()
  const contents = new Set<string>()
  let offset = 0
  let number = paging.first

  const address = (current: URL, page: RestPage, place: Place): URL | undefined => {
    switch (paging.kind) {
      case 'page':
        number += 1
        return page.records.length > 0 ? withParameter(current, paging.parameter, String(number)) : undefined
      case 'offset':
        offset += page.records.length
        return page.records.length > 0 ? withParameter(current, paging.parameter, String(offset)) : undefined
      case 'cursor': {
        const cursor = asText(valueAt(page.body, paging.nextPath))
        return cursor === '' ? undefined : withParameter(current, paging.parameter, cursor)
      }
      case 'link':
        return sameOrigin(nextLink(page.link) ?? '', current, place)
      case 'nextUrl':
        return sameOrigin(asText(valueAt(page.body, paging.nextPath)), current, place)
      default:
        return undefined
    }
  }

  const remember = (seen: Set<string>, text: string, place: Place): void => {
    const hash = createHash('sha256').update(text).digest('base64')
    if (seen.has(hash)) throw pageProblem('SOURCE_LOOP', place)
    seen.add(hash)
  }

  return {
    next: (current: URL, page: RestPage, count: number): URL | undefined => {
      const place = { host, page: count }
      if (count === 1) remember(addresses, current.href, place)
      if (page.records.length > 0) remember(contents, JSON.stringify(page.records), place)
      const next = address(current, page, place)
      if (next) remember(addresses, next.href, place)
      if (next && count >= paging.mostPages) throw pageProblem('SOURCE_PAGES_TOO_MANY', place, { params: { limit: paging.mostPages } })
      return next
    },
  }
}
