export type Resource = Record<string, unknown>

/** What a stand-in answers to one request. */
export interface StandInAnswer {
  readonly status: number
  readonly body?: Resource
}

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

export const failed = (status: number, detail: string, scimType?: string): StandInAnswer => ({
  status,
  body: { schemas: [ERROR], status: String(status), detail, ...(scimType ? { scimType } : {}) },
})

/** A page of what a filter `attribute eq "text"` leaves, whatever the case of the text. */
export const listed = (all: Iterable<Resource>, query: URLSearchParams): StandInAnswer => {
  const [, key = '', quoted = '""'] = /^(\w+) eq (".*")$/.exec(query.get('filter') ?? '') ?? []
  const wanted = String(JSON.parse(quoted)).toLowerCase()
  const found = [...all].filter((resource) => key === '' || String(resource[key]).toLowerCase() === wanted)
  const start = Number(query.get('startIndex') ?? 1)
  const Resources = found.slice(start - 1, start - 1 + Number(query.get('count') ?? 100))
  return {
    status: 200,
    body: { schemas: [LIST], totalResults: found.length, startIndex: start, itemsPerPage: Resources.length, Resources },
  }
}
