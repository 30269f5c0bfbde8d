/** What the workplace knows of a user and a group: RFC 7643 sections 4.1, 4.2 and 4.3, without the attributes that it does not keep, and what it adds to groups. */

export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'reference' | 'complex'
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

/** A kind of resource: where it lives and what it is made of. */
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
  subAttributes: [],
  description,
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
  attribute('id', 'Given by this workplace.', { caseExact: true, mutability: 'readOnly', uniqueness: 'server' }),
  attribute('externalId', "The client's own id; keeping it unique is the client's part.", { caseExact: true }),
  {
    ...complex(
      'meta',
      'When it was made and last changed.',
      ['resourceType', 'created', 'lastModified', 'location', 'version'].map((name) => attribute(name, name, { caseExact: true })),
    ),
    mutability: 'readOnly',
  },
]

const USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'An account of a person.',
  attributes: [
    attribute('userName', 'Signs in with it.', { required: true, uniqueness: 'server' }),
    complex('name', 'The parts of the name.', [
      attribute('formatted', 'The whole name.'),
      attribute('familyName', 'Family name.'),
      attribute('givenName', 'Given name.'),
      attribute('middleName', 'Middle names.'),
      attribute('honorificPrefix', 'Before the name.'),
      attribute('honorificSuffix', 'After the name.'),
    ]),
    attribute('displayName', 'The name that others see.'),
    attribute('nickName', 'What friends say.'),
    attribute('profileUrl', 'A page about the person.', { type: 'reference' }),
    attribute('title', 'Job title.'),
    attribute('userType', 'Kind of worker.'),
    attribute('preferredLanguage', 'Language tag.'),
    attribute('locale', 'For dates and numbers.'),
    attribute('timezone', 'IANA time zone.'),
    attribute('active', 'Whether the person may sign in.', { type: 'boolean' }),
    attribute('password', 'Taken, never kept.', { mutability: 'writeOnly', caseExact: true }),
    list('emails', 'E-mail addresses.'),
    list('phoneNumbers', 'Telephone numbers.'),
    list('photos', 'Pictures.'),
    list('addresses', 'Postal addresses.', [
      attribute('formatted', 'The whole address.'),
      attribute('streetAddress', 'Street and number.'),
      attribute('locality', 'Town.'),
      attribute('region', 'Region.'),
      attribute('postalCode', 'Postal code.'),
      attribute('country', 'ISO 3166-1 alpha-2.'),
    ]),
    { ...list('groups', 'Groups that the account is a member of.', [reference('$ref')]), mutability: 'readOnly' },
    list('entitlements', 'Entitlements.'),
    list('roles', 'Roles.'),
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
  description: 'A group of accounts.',
  attributes: [
    attribute('displayName', 'Its name; unique here.', { required: true, uniqueness: 'server' }),
    attribute('members', 'Accounts in it.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'Id of the account.', { caseExact: true }),
        reference('$ref'),
        attribute('type', 'User.'),
        attribute('display', "The account's name."),
      ],
    }),
  ],
}

/** What this workplace knows of a group beyond SCIM. */
const WORKPLACE_GROUP: Schema = {
  id: 'urn:instep:params:scim:schemas:workplace:2.0:Group',
  name: 'WorkplaceGroup',
  description: 'Who sees a group, who may post in it, who looks after it.',
  attributes: [
    attribute('description', 'What it is for.'),
    attribute('privacy', 'open, closed or secret.', { caseExact: true }),
    attribute('postPermission', 'members or admins.', { caseExact: true }),
    attribute('admins', 'Accounts that look after it.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [attribute('value', 'Id of the account.', { caseExact: true }), attribute('display', "The account's name.")],
    }),
  ],
}

export const USER_KIND: ResourceKind = { name: 'User', endpoint: '/Users', core: USER, extensions: [ENTERPRISE] }
export const GROUP_KIND: ResourceKind = { name: 'Group', endpoint: '/Groups', core: GROUP, extensions: [WORKPLACE_GROUP] }
export const RESOURCE_KINDS: readonly ResourceKind[] = [USER_KIND, GROUP_KIND]
export const SCHEMAS: readonly Schema[] = [USER, ENTERPRISE, GROUP, WORKPLACE_GROUP]
export const ENTERPRISE_ID = ENTERPRISE.id
export const WORKPLACE_GROUP_ID = WORKPLACE_GROUP.id

const indexes = new WeakMap<readonly Attribute[], Map<string, Attribute>>()

/** The attribute of that name; names are compared without case (RFC 7643 section 2.1). */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  let index = indexes.get(attributes)
  if (!index) {
    index = new Map(attributes.map((each) => [each.name.toLowerCase(), each]))
    indexes.set(attributes, index)
  }
  return index.get(name.toLowerCase())
}
