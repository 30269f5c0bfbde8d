/** What can be wrong with a request, in the words of RFC 7644 section 3.12 (table 9). */
export type ScimType = 'invalidFilter' | 'uniqueness' | 'mutability' | 'invalidSyntax' | 'invalidPath' | 'noTarget' | 'invalidValue'

/** A refusal; `message` is read by whoever looks after the pushing system, so it names what to change and nothing of other people. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

/** A refusal of the request as it stands: status 400. */
export const refuse = (scimType: ScimType, detail: string): ScimError => new ScimError(400, detail, scimType)

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The body of an answer without success. */
export const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType ? { scimType } : {}),
  detail,
})
