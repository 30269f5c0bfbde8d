/**
 * Every field of a person in the flat form model (1-console.md section 3), once: the mapping editor, the plan, the users table's columns
 * (same names in snake_case) and the targets' attribute mappings read this list.
 */

/** How a value is written: `date` is `YYYY-MM-DD`, `email` and `phone` are checked, `phone` is kept as E.164 where it can be read. */
export type FieldType = 'text' | 'date' | 'email' | 'phone' | 'delivery' | 'language' | 'reference' | 'referenceType'

export interface UserField {
  readonly type: FieldType
  /** A source must give it for a row to be valid. */
  readonly required?: true
  /** An administrator may override it on a person who comes from a source (decisions.md section 9). */
  readonly overridable?: true
  /** Longest value in code points, where it is not `MAX_TEXT`. */
  readonly longest?: number
  /** Header spellings seen in HR exports, folded (lower case, letters and digits only), for mapping suggestions. */
  readonly headers: readonly string[]
}

const text = (headers: string[], more: Omit<UserField, 'type' | 'headers'> = {}): UserField => ({ type: 'text', headers, ...more })

export const USER_FIELDS = {
  externalId: text(['externalid', 'personid', 'personnelnumber', 'personalnummer', 'hrid', 'workerid', 'uniqueid', 'identifiant'], {
    required: true,
    overridable: true,
  }),
  employeeNumber: text([
    'employeeid',
    'employeenumber',
    'employeeno',
    'staffnumber',
    'staffid',
    'badgenumber',
    'payrollnumber',
    'matricule',
    'personalnr',
  ]),
  givenName: text(['firstname', 'givenname', 'forename', 'prenom', 'vorname', 'legalfirstname', 'namegivenname'], {
    required: true,
    overridable: true,
  }),
  familyName: text(['lastname', 'familyname', 'surname', 'nom', 'nachname', 'legallastname', 'namefamilyname'], {
    required: true,
    overridable: true,
  }),
  displayName: text(['displayname', 'fullname', 'name', 'preferredname', 'knownas'], { overridable: true, longest: 501 }),
  userName: text(['username', 'login', 'upn', 'userprincipalname', 'accountname']),
  externalReferenceId: text(['externalreferenceid', 'referenceid', 'globalid', 'previousid']),
  workEmail: {
    type: 'email',
    headers: ['workemail', 'email', 'emailaddress', 'businessemail', 'companyemail', 'mail', 'emailpro', 'emailswork'],
    overridable: true,
  },
  personalEmail: {
    type: 'email',
    headers: ['personalemail', 'privateemail', 'homeemail', 'emailpersonnel', 'emailshome'],
    overridable: true,
  },
  workPhone: { type: 'phone', headers: ['workphone', 'businessphone', 'officephone', 'telephone', 'phonenumberswork'], overridable: true },
  personalPhone: {
    type: 'phone',
    headers: [
      'personalphone',
      'mobile',
      'mobilephone',
      'cellphone',
      'phone',
      'phonenumber',
      'privatephone',
      'portable',
      'phonenumbersmobile',
    ],
    overridable: true,
  },
  preferredLanguage: { type: 'language', headers: ['preferredlanguage', 'language', 'lang', 'langue', 'sprache'], overridable: true },
  locale: text(['locale']),
  timezone: text(['timezone', 'tz']),
  userType: text(['usertype', 'workertype']),
  title: text(['title', 'jobtitle', 'position', 'job', 'role', 'poste', 'fonction', 'stelle'], { overridable: true }),
  department: text(['department', 'dept', 'team', 'departement', 'service', 'abteilung', 'costcentername'], { overridable: true }),
  division: text(['division', 'businessunit', 'bu', 'direction'], { overridable: true }),
  organization: text(['organization', 'organisation', 'company', 'legalentity', 'employer', 'societe', 'firma'], { overridable: true }),
  costCenter: text(['costcenter', 'costcentre', 'kostenstelle', 'centredecout'], { overridable: true }),
  locationName: text(['location', 'locationname', 'site', 'store', 'branch', 'office', 'workplace', 'lieu', 'magasin', 'standort'], {
    overridable: true,
  }),
  locality: text(['city', 'locality', 'town', 'ville', 'ort', 'addressesworklocality'], { overridable: true }),
  country: text(['country', 'countrycode', 'pays', 'land', 'addressesworkcountry'], { overridable: true }),
  manager: {
    type: 'reference',
    headers: [
      'manager',
      'managerid',
      'managerexternalid',
      'supervisor',
      'supervisorid',
      'reportsto',
      'lineemanager',
      'linemanager',
      'manageremail',
      'responsable',
    ],
    overridable: true,
  },
  managerReferenceType: { type: 'referenceType', headers: ['managerreferencetype'], overridable: true },
  approver: { type: 'reference', headers: ['approver', 'approverid', 'approveremail'], overridable: true },
  approverReferenceType: { type: 'referenceType', headers: ['approverreferencetype'], overridable: true },
  leader: { type: 'reference', headers: ['leader', 'leaderemail'] },
  startDate: {
    type: 'date',
    headers: ['startdate', 'hiredate', 'dateofhire', 'joiningdate', 'entrydate', 'datedebut', 'dateembauche', 'eintrittsdatum'],
    overridable: true,
  },
  endDate: {
    type: 'date',
    headers: ['enddate', 'terminationdate', 'leavingdate', 'lastday', 'datefin', 'datesortie', 'austrittsdatum'],
    overridable: true,
  },
  accessCodeDelivery: { type: 'delivery', headers: ['accesscodedelivery', 'delivery', 'codedelivery'], overridable: true },
  gender: text(['gender', 'sex', 'genre']),
  employmentType: text(['employmenttype', 'contracttype', 'employeetype', 'typecontrat']),
  dateOfBirth: { type: 'date', headers: ['dateofbirth', 'birthdate', 'dob', 'birthday', 'datenaissance', 'geburtsdatum'] },
  customField1: text(['customfield1', 'custom1'], { longest: 1000 }),
  customField2: text(['customfield2', 'custom2'], { longest: 1000 }),
  externalPartnerCompany: text(['externalpartnercompany', 'partnercompany', 'agency']),
  externalIdPrefix: text(['externalidprefix', 'employeeidprefix']),
} as const satisfies Record<string, UserField>

export type UserFieldName = keyof typeof USER_FIELDS
export const userFieldNames = Object.keys(USER_FIELDS) as UserFieldName[]

/** The column of `users` that holds the field's effective value. */
export const columnOf = (field: UserFieldName): string => field.replace(/[A-Z0-9]+/g, (part) => `_${part.toLowerCase()}`)

/** Longest value a text field takes, in code points: what an index of the database still holds. */
export const MAX_TEXT = 250
/** Longest value of this field, in code points. */
export const longestOf = (field: UserFieldName): number => (USER_FIELDS[field] as UserField).longest ?? MAX_TEXT

/** How a reference to another person is to be read. */
export const REFERENCE_TYPES = ['email', 'externalId'] as const

/** Access code delivery (1-console.md section 3). */
export const DELIVERIES = ['none', 'email.personal', 'email.work', 'sms.personal', 'sms.activation_portal'] as const

/** The one schema id a user carries. */
export const SCHEMA_ID = '7f1c9a52-3c44-4be0-9f3b-5d4f5a0d8a11'
