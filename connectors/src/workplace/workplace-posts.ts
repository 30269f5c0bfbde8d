import { ConnectorError } from '../kit/problem.ts'
import type { ContentItem, ContentKind, WorkplaceContent } from '../kit/workplace-content.ts'
import { type Asked, unproven } from '../scim/scim-answers.ts'
import type { ScimClient } from '../scim/scim-client.ts'

/** Where each kind is kept, below the address of the workplace's own interface. */
const COLLECTIONS: Readonly<Record<ContentKind, string>> = { post: '/posts', message: '/messages', shiftPost: '/shift-posts' }

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const listed = (kind: ContentKind): Asked => ({ method: 'GET', path: COLLECTIONS[kind], account: false })

const itemOf = (kind: ContentKind, value: unknown): ContentItem => {
  const { id, authorId, groupId, text: words, createdAt } = (value ?? {}) as Readonly<Record<string, unknown>>
  const known = { id: text(id), authorId: text(authorId), createdAt: text(createdAt) }
  if (known.id === undefined || known.authorId === undefined || known.createdAt === undefined)
    throw unproven(listed(kind), 'notContent', 'content without id, author or time')
  return {
    kind,
    id: known.id,
    authorId: known.authorId,
    groupId: text(groupId) ?? null,
    text: text(words) ?? '',
    createdAt: known.createdAt,
  }
}

/** Posts, messages and shift posts over the workplace's own interface (`docs/sandbox.md` describes it). `client` speaks below `/api/v1`. */
export const createWorkplacePosts = (client: ScimClient): WorkplaceContent => ({
  list: async ({ kind, authorId, before, after }, { signal } = {}) => {
    const query = new URLSearchParams({
      ...(authorId === undefined ? {} : { author: authorId }),
      ...(before === undefined ? {} : { before: before.toISOString() }),
      ...(after === undefined ? {} : { after }),
    })
    const { body } = await client.request({ method: 'GET', endpoint: COLLECTIONS[kind], query: String(query), signal })
    if (!Array.isArray(body?.items)) throw unproven(listed(kind), 'notContent', 'no list of content')
    return { items: body.items.map((item) => itemOf(kind, item)), next: text(body.next) ?? null }
  },
  delete: async ({ kind, id }, { signal } = {}) => {
    try {
      await client.request({ method: 'DELETE', endpoint: COLLECTIONS[kind], remoteId: id, signal })
    } catch (error) {
      if (!(error instanceof ConnectorError && error.code === 'TARGET_GONE')) throw error
    }
  },
  publishShift: async ({ externalId, ...post }, { signal } = {}) => {
    const { body } = await client.request({
      method: 'PUT',
      endpoint: COLLECTIONS.shiftPost,
      remoteId: externalId,
      body: post,
      signal,
    })
    const id = text(body?.id)
    if (id === undefined)
      throw unproven({ method: 'PUT', path: '/shift-posts/{externalId}', account: true }, 'noId', 'an answer without an id')
    return id
  },
})
