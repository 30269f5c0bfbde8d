/** What a user and a group are made of: RFC 7643 sections 4.1, 4.2 and 4.3. */

export interface Attribute {
  readonly name: string
  /** `any` stands for what an extension that nobody here knows brings: kept as it came. */
  readonly type: 'string' | 'boolean' | 'reference' | 'dateTime' | 'complex' | 'any'
  readonly multiValued: boolean
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readWrite' | 'readOnly' | 'writeOnly'
  readonly uniqueness: 'none' | 'server'
  readonly description: string
  readonly subAttributes: readonly Attribute[]
}

export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

/** A kind of resource. */
export interface ResourceKind {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly core: Schema
  readonly extensions: readonly Schema[]
}

const attribute = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  uniqueness: 'none',
  description,
  subAttributes: [],
  ...more,
})

const complex = (name: string, description: string, subAttributes: readonly Attribute[]): Attribute =>
  attribute(name, description, { type: 'complex', subAttributes })

const list = (name: string, description: string, others: readonly Attribute[] = []): Attribute =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      ...others,
      attribute('value', 'The value itself.'),
      attribute('display', 'The value for a reader.'),
      attribute('type', 'What it is for.'),
      attribute('primary', 'At most one is.', { type: 'boolean' }),
    ],
  })

const reference = (name: string) => attribute(name, 'Address of the resource.', { type: 'reference', caseExact: true })

/** Attributes of every resource (RFC 7643 section 3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('id', 'Given by this server.', { caseExact: true, mutability: 'readOnly', uniqueness: 'server' }),
  attribute('externalId', "The pushing system's own id.", { caseExact: true }),
  {
    ...complex('meta', 'When the resource was made and last changed.', [
      attribute('resourceType', 'Its kind.', { caseExact: true }),
      attribute('created', 'When it was made.', { type: 'dateTime' }),
      attribute('lastModified', 'When it was last changed.', { type: 'dateTime' }),
      reference('location'),
      attribute('version', 'Its ETag.', { caseExact: true }),
    ]),
    mutability: 'readOnly',
  },
]

const NAME = complex('name', 'The parts of the name.', [
  attribute('formatted', 'The whole name.'),
  attribute('familyName', 'Family name.'),
  attribute('givenName', 'Given name.'),
  attribute('middleName', 'Middle names.'),
  attribute('honorificPrefix', 'Before the name.'),
  attribute('honorificSuffix', 'After the name.'),
])

const ADDRESSES = list('addresses', 'Postal addresses.', [
  attribute('formatted', 'The whole address.'),
  attribute('streetAddress', 'Street and number.'),
  attribute('locality', 'Town.'),
  attribute('region', 'Region.'),
  attribute('postalCode', 'Postal code.'),
  attribute('country', 'ISO 3166-1 alpha-2.'),
])

const USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person as the pushing system knows them.',
  attributes: [
    attribute('userName', 'Unique within the connector, whatever its case.', { required: true, uniqueness: 'server' }),
    NAME,
    attribute('displayName', 'The name that others see.'),
    attribute('nickName', 'What friends say.'),
    attribute('profileUrl', 'A page about the person.', { type: 'reference', caseExact: true }),
    attribute('title', 'Job title.'),
    attribute('userType', 'Kind of worker.'),
    attribute('preferredLanguage', 'Language tag.'),
    attribute('locale', 'For dates and numbers.'),
    attribute('timezone', 'IANA time zone.'),
    attribute('active', 'Whether the person still works here; false makes a leaver of them.', { type: 'boolean' }),
    attribute('password', 'Taken, never kept.', { mutability: 'writeOnly', caseExact: true }),
    list('emails', 'E-mail addresses.'),
    list('phoneNumbers', 'Telephone numbers.'),
    list('ims', 'Instant messaging addresses.'),
    list('photos', 'Addresses of pictures.'),
    ADDRESSES,
    { ...list('groups', 'Groups that the person is a member of.', [reference('$ref')]), mutability: 'readOnly' },
    list('entitlements', 'Entitlements.'),
    list('roles', 'Roles.'),
    list('x509Certificates', 'Certificates.'),
  ],
}

const ENTERPRISE: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'What an employer knows of a person.',
  attributes: [
    attribute('employeeNumber', 'Number of the employee.'),
    attribute('costCenter', 'Cost centre.'),
    attribute('organization', 'Employing company.'),
    attribute('division', 'Division.'),
    attribute('department', 'Department.'),
    complex('manager', 'Whom the person reports to.', [
      attribute('value', 'Id of the manager.', { caseExact: true }),
      reference('$ref'),
      attribute('displayName', "The manager's name."),
    ]),
  ],
}

const GROUP: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of people.',
  attributes: [
    attribute('displayName', 'Its name.', { required: true }),
    attribute('members', 'People in it.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'Id of the user.', { caseExact: true }),
        reference('$ref'),
        attribute('type', 'User.'),
        attribute('display', "The user's name."),
      ],
    }),
  ],
}

export const USER_KIND: ResourceKind = { name: 'User', endpoint: '/Users', core: USER, extensions: [ENTERPRISE] }
export const GROUP_KIND: ResourceKind = { name: 'Group', endpoint: '/Groups', core: GROUP, extensions: [] }
export const RESOURCE_KINDS: readonly ResourceKind[] = [USER_KIND, GROUP_KIND]
export const SCHEMAS: readonly Schema[] = [USER, ENTERPRISE, GROUP]
export const ENTERPRISE_ID = ENTERPRISE.id

/** The attribute of that name; names are compared without case (RFC 7643 section 2.1). */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((one) => one.name.toLowerCase() === name.toLowerCase())

/** An attribute of an extension that nobody here knows. */
export const unknownAttribute = (name: string): Attribute => attribute(name, '', { type: 'any', caseExact: true })
