/**
 * The two companies of the sandbox: what the HR system fills with people, what the workplace keeps accounts for, and what a demonstration
 * seeds its tenants, site groups and sites from.
 */

/** A place of work. `name` is what the HR export's Location column says. `employeeIdPrefix` ends with its separator. */
export interface WorldSite {
  readonly name: string
  readonly city: string
  /** ISO 3166-1 alpha-2. */
  readonly country: CountryCode
  /** IANA name. */
  readonly timeZone: string
  readonly employeeIdPrefix: string
  /** How many of the people work here, relative to the other sites. */
  readonly share: number
}

export interface WorldSiteGroup {
  readonly name: string
  readonly sites: readonly WorldSite[]
}

/**
 * A department with the titles that belong to it; `lead` is held by whoever runs a team of it, `head` by one person of the company. The head
 * of a company's first department runs the company.
 */
export interface WorldDepartment {
  readonly name: string
  readonly division: string
  readonly costCentre: string
  readonly head: string
  readonly lead: string
  readonly titles: readonly string[]
  /** Desk-based people have a work e-mail address. */
  readonly deskBased: boolean
  readonly share: number
}

export interface WorldCompany {
  readonly slug: 'northwind' | 'contoso'
  readonly name: string
  /** Bearer token of its SCIM endpoint, /workplace/{slug}/scim/v2. */
  readonly token: string
  readonly emailDomain: string
  /** External ids are this, a hyphen and a number from 100000. */
  readonly externalIdPrefix: string
  readonly siteGroups: readonly WorldSiteGroup[]
  readonly departments: readonly WorldDepartment[]
  /** People on the first day; `asked` follows the `people` setting. */
  readonly size: 'asked' | number
}

export type CountryCode = 'GB' | 'IE' | 'FR' | 'DE' | 'AT' | 'NL' | 'BE' | 'ES' | 'IT' | 'US' | 'TH'

const NORTHWIND_SITES: readonly WorldSiteGroup[] = [
  {
    name: 'United Kingdom',
    sites: [
      { name: 'London Bridge', city: 'London', country: 'GB', timeZone: 'Europe/London', employeeIdPrefix: 'LON-', share: 16 },
      { name: 'Manchester Arndale', city: 'Manchester', country: 'GB', timeZone: 'Europe/London', employeeIdPrefix: 'MAN-', share: 9 },
      { name: 'Leeds Trinity', city: 'Leeds', country: 'GB', timeZone: 'Europe/London', employeeIdPrefix: 'LEE-', share: 7 },
    ],
  },
  {
    name: 'France',
    sites: [
      { name: 'Lyon Part-Dieu', city: 'Lyon', country: 'FR', timeZone: 'Europe/Paris', employeeIdPrefix: 'LYO-', share: 8 },
      { name: 'Paris Bercy', city: 'Paris', country: 'FR', timeZone: 'Europe/Paris', employeeIdPrefix: 'PAR-', share: 10 },
    ],
  },
  {
    name: 'Germany & Austria',
    sites: [
      { name: 'Hamburg Altona', city: 'Hamburg', country: 'DE', timeZone: 'Europe/Berlin', employeeIdPrefix: 'HAM-', share: 8 },
      { name: 'Wien Mitte', city: 'Wien', country: 'AT', timeZone: 'Europe/Vienna', employeeIdPrefix: 'WIE-', share: 6 },
    ],
  },
  {
    name: 'Benelux',
    sites: [
      { name: 'Utrecht Centraal', city: 'Utrecht', country: 'NL', timeZone: 'Europe/Amsterdam', employeeIdPrefix: 'UTR-', share: 7 },
      { name: 'Antwerpen Zuid', city: 'Antwerpen', country: 'BE', timeZone: 'Europe/Brussels', employeeIdPrefix: 'ANT-', share: 5 },
    ],
  },
  {
    name: 'Spain & Italy',
    sites: [
      { name: 'Sevilla Centro', city: 'Sevilla', country: 'ES', timeZone: 'Europe/Madrid', employeeIdPrefix: 'SEV-', share: 7 },
      { name: 'Torino Lingotto', city: 'Torino', country: 'IT', timeZone: 'Europe/Rome', employeeIdPrefix: 'TOR-', share: 6 },
    ],
  },
  {
    name: 'Rest of world',
    sites: [
      { name: 'Austin Domain', city: 'Austin', country: 'US', timeZone: 'America/Chicago', employeeIdPrefix: 'AUS-', share: 6 },
      { name: 'Bangkok Siam', city: 'Bangkok', country: 'TH', timeZone: 'Asia/Bangkok', employeeIdPrefix: 'BKK-', share: 5 },
    ],
  },
]

const NORTHWIND_DEPARTMENTS: readonly WorldDepartment[] = [
  {
    name: 'Executive office',
    division: 'Group services',
    costCentre: 'CC-1000',
    head: 'Chief executive',
    lead: 'Chief of staff',
    titles: ['Executive assistant'],
    deskBased: true,
    share: 1,
  },
  {
    name: 'Store operations',
    division: 'Retail',
    costCentre: 'CC-1100',
    head: 'Retail director',
    lead: 'Store manager',
    titles: ['Sales assistant', 'Cashier', 'Shift lead', 'Visual merchandiser', 'Customer adviser'],
    deskBased: false,
    share: 34,
  },
  {
    name: 'Kitchen',
    division: 'Food & drink',
    costCentre: 'CC-1200',
    head: 'Food director',
    lead: 'Head chef',
    titles: ['Sous chef', 'Kitchen porter', 'Barista', 'Line cook', 'Waiter'],
    deskBased: false,
    share: 16,
  },
  {
    name: 'Logistics',
    division: 'Supply chain',
    costCentre: 'CC-1300',
    head: 'Supply chain director',
    lead: 'Warehouse manager',
    titles: ['Warehouse operative', 'Forklift driver', 'Delivery driver', 'Goods-in clerk'],
    deskBased: false,
    share: 15,
  },
  {
    name: 'Finance',
    division: 'Group services',
    costCentre: 'CC-2100',
    head: 'Finance director',
    lead: 'Financial controller',
    titles: ['Accountant', 'Payroll specialist', 'Financial analyst', 'Accounts assistant'],
    deskBased: true,
    share: 7,
  },
  {
    name: 'People & culture',
    division: 'Group services',
    costCentre: 'CC-2200',
    head: 'People director',
    lead: 'HR business partner',
    titles: ['HR partner', 'Recruiter', 'Learning specialist', 'HR administrator'],
    deskBased: true,
    share: 5,
  },
  {
    name: 'Engineering',
    division: 'Digital',
    costCentre: 'CC-2300',
    head: 'Technology director',
    lead: 'Engineering lead',
    titles: ['Data analyst', 'Software engineer', 'Support engineer', 'Product designer'],
    deskBased: true,
    share: 10,
  },
  {
    name: 'Sales & marketing',
    division: 'Commercial',
    costCentre: 'CC-2400',
    head: 'Commercial director',
    lead: 'Marketing lead',
    titles: ['Buyer', 'Account executive', 'Content editor', 'Campaign planner'],
    deskBased: true,
    share: 8,
  },
  {
    name: 'Planning',
    division: 'Supply chain',
    costCentre: 'CC-2500',
    head: 'Planning director',
    lead: 'Planning lead',
    titles: ['Route planner', 'Stock controller', 'Demand planner'],
    deskBased: true,
    share: 5,
  },
]

const CONTOSO_SITES: readonly WorldSiteGroup[] = [
  {
    name: 'Head office',
    sites: [{ name: 'Dublin Docklands', city: 'Dublin', country: 'IE', timeZone: 'Europe/Dublin', employeeIdPrefix: 'DUB-', share: 4 }],
  },
  {
    name: 'Plants',
    sites: [
      { name: 'Gent Haven', city: 'Gent', country: 'BE', timeZone: 'Europe/Brussels', employeeIdPrefix: 'GEN-', share: 3 },
      { name: 'Köln Mülheim', city: 'Köln', country: 'DE', timeZone: 'Europe/Berlin', employeeIdPrefix: 'KOE-', share: 3 },
    ],
  },
]

const CONTOSO_DEPARTMENTS: readonly WorldDepartment[] = [
  {
    name: 'Administration',
    division: 'Head office',
    costCentre: 'A-100',
    head: 'Managing partner',
    lead: 'Office manager',
    titles: ['Bookkeeper', 'Purchasing clerk', 'Customer service adviser'],
    deskBased: true,
    share: 7,
  },
  {
    name: 'Production',
    division: 'Manufacturing',
    costCentre: 'P-100',
    head: 'Production director',
    lead: 'Plant manager',
    titles: ['Machine operator', 'Assembler', 'Quality inspector', 'Maintenance technician'],
    deskBased: false,
    share: 13,
  },
]

export const COMPANIES: readonly WorldCompany[] = [
  {
    slug: 'northwind',
    name: 'Northwind',
    token: 'sandbox-northwind',
    emailDomain: 'northwind.example',
    externalIdPrefix: 'NW',
    siteGroups: NORTHWIND_SITES,
    departments: NORTHWIND_DEPARTMENTS,
    size: 'asked',
  },
  {
    slug: 'contoso',
    name: 'Contoso',
    token: 'sandbox-contoso',
    emailDomain: 'contoso.example',
    externalIdPrefix: 'CO',
    siteGroups: CONTOSO_SITES,
    departments: CONTOSO_DEPARTMENTS,
    size: 60,
  },
]

export type CompanySlug = WorldCompany['slug']
