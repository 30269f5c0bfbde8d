import { possibleFormats } from '@instep/contract/dates.ts'
import { Mapping } from '@instep/contract/sync.ts'
import { describe, expect, it } from 'vitest'
import { suggestMapping } from './suggest-mapping.ts'

const column = (name: string, samples: readonly string[] = []) => ({
  name,
  samples: [...samples],
  filled: samples.length > 0 ? 1 : 0,
  dateFormats: possibleFormats(samples),
})

/** Columns by name and samples; answers field → column name. */
const suggest = (columns: Record<string, readonly string[]>): Record<string, string> => {
  const mapping = suggestMapping(Object.entries(columns).map(([name, samples]) => column(name, samples)))
  Mapping.parse(mapping)
  return Object.fromEntries(Object.entries(mapping.fields).map(([field, to]) => [field, to?.column ?? '']))
}

const DMY = ['31/01/2024', '01/02/2023']
const ISO = ['2024-01-31', '2023-02-01']
const EMAILS = ['ana@example.com', 'bo@example.com']
const IDS = ['10001', '10002']
const PHONES = ['+33 6 12 34 56 78', '06.12.34.56.79']

describe('suggestMapping leaves out', () => {
  it.each([
    [
      'columns about somebody else',
      { 'Emergency contact phone': PHONES, 'Manager name': ['Ana Silva', 'Bo Li'], "Supervisor's email address": EMAILS },
      { manager: "Supervisor's email address" },
    ],
    ['a manager flag', { 'Is manager': ['Y', 'N'] }, {}],
    ['an email column without addresses', { Email: ['yes', 'no'] }, {}],
    ['a phone column without numbers', { Phone: ['iPhone', 'Samsung'] }, {}],
    ['a date column without dates', { 'Start date': ['soon', 'later'] }, {}],
    ['a date under a name that means text', { Position: DMY }, {}],
    ['an id that repeats', { 'Person ID': ['1', '1', '2'] }, {}],
    ['two unnamed address columns', { a: EMAILS, b: EMAILS }, {}],
    ['headers that mean nothing', { Foo: ['a'], Bar: ['b'] }, {}],
    ['everything, when there is nothing', {}, {}],
  ])('%s', (_name, columns, expected) => {
    expect(suggest(columns as unknown as Record<string, readonly string[]>)).toEqual(expected)
  })
})

describe('suggestMapping reads the export of', () => {
  it('the sandbox', () => {
    const found = suggest({
      'Employee ID': ['E1001', 'E1002'],
      'First name': ['Ana'],
      'Last name': ['Silva'],
      'Job title': ['Baker'],
      Department: ['Bakery'],
      Location: ['Store 1'],
      Email: EMAILS,
      Phone: PHONES,
      'Start date': DMY,
      'Manager ID': ['E1000', 'E1000'],
    })
    expect(found).toEqual({
      externalId: 'Employee ID',
      employeeNumber: 'Employee ID',
      givenName: 'First name',
      familyName: 'Last name',
      title: 'Job title',
      department: 'Department',
      locationName: 'Location',
      workEmail: 'Email',
      personalPhone: 'Phone',
      startDate: 'Start date',
      manager: 'Manager ID',
    })
  })

  it('Workday', () => {
    const found = suggest({
      'Worker - Employee ID': IDS,
      'Legal Name - First Name': ['Ana'],
      'Legal Name - Last Name': ['Silva'],
      'Business Title': ['Baker'],
      'Supervisory Organization': ['Bakery (Bo Li)'],
      'Cost Center': ['CC1'],
      Company: ['Acme'],
      'Primary Work Email': EMAILS,
      'Hire Date': ISO,
      'Termination Date': [],
      'Worker Type': ['Employee'],
      "Worker's Manager - Employee ID": IDS,
    })
    expect(found).toMatchObject({
      externalId: 'Worker - Employee ID',
      employeeNumber: 'Worker - Employee ID',
      givenName: 'Legal Name - First Name',
      familyName: 'Legal Name - Last Name',
      title: 'Business Title',
      department: 'Supervisory Organization',
      costCenter: 'Cost Center',
      organization: 'Company',
      workEmail: 'Primary Work Email',
      startDate: 'Hire Date',
      endDate: 'Termination Date',
      userType: 'Worker Type',
    })
  })

  it('SAP SuccessFactors', () => {
    const found = suggest({
      USERID: ['u1', 'u2'],
      USERNAME: ['asilva', 'bli'],
      FIRSTNAME: ['Ana'],
      LASTNAME: ['Silva'],
      EMPID: IDS,
      EMAIL: EMAILS,
      MANAGER: ['u2', 'NO_MANAGER'],
      DEPARTMENT: ['Bakery'],
      DIVISION: ['North'],
      LOCATION: ['Lyon'],
      TITLE: ['Baker'],
      HIREDATE: ['01/31/2024'],
      TIMEZONE: ['Europe/Paris'],
      DEFAULT_LOCALE: ['fr_FR'],
    })
    expect(found).toMatchObject({
      externalId: 'USERID',
      employeeNumber: 'EMPID',
      userName: 'USERNAME',
      givenName: 'FIRSTNAME',
      familyName: 'LASTNAME',
      workEmail: 'EMAIL',
      manager: 'MANAGER',
      title: 'TITLE',
      startDate: 'HIREDATE',
      timezone: 'TIMEZONE',
      locale: 'DEFAULT_LOCALE',
    })
  })

  it('BambooHR', () => {
    const found = suggest({
      'Employee #': IDS,
      'First Name': ['Ana'],
      'Last Name': ['Silva'],
      'Preferred Name': [],
      'Work Email': EMAILS,
      'Home Email': EMAILS,
      'Mobile Phone': PHONES,
      'Work Phone': PHONES,
      'Job Title': ['Baker'],
      'Birth Date': DMY,
      'Supervisor EID': IDS,
      'Supervisor Name': ['Bo Li'],
    })
    expect(found).toMatchObject({
      externalId: 'Employee #',
      displayName: 'Preferred Name',
      workEmail: 'Work Email',
      personalEmail: 'Home Email',
      personalPhone: 'Mobile Phone',
      workPhone: 'Work Phone',
      dateOfBirth: 'Birth Date',
      manager: 'Supervisor EID',
    })
  })

  it('UKG', () => {
    const found = suggest({
      'Employee Number': IDS,
      'Employee Name': ['Silva, Ana'],
      'First Name': ['Ana'],
      'Last Name': ['Silva'],
      'Middle Name': ['M'],
      'Email Address': EMAILS,
      'Company Name': ['Acme'],
      'Date of Hire': DMY,
      'Supervisor Employee Number': IDS,
      'Date Last Modified': DMY,
    })
    expect(found).toMatchObject({
      externalId: 'Employee Number',
      employeeNumber: 'Employee Number',
      displayName: 'Employee Name',
      organization: 'Company Name',
      startDate: 'Date of Hire',
      manager: 'Supervisor Employee Number',
    })
    expect(Object.values(found)).not.toContain('Middle Name')
    expect(Object.values(found)).not.toContain('Date Last Modified')
  })

  it('Personio, in German', () => {
    const found = suggest({
      Personalnummer: IDS,
      Vorname: ['Jörg'],
      Nachname: ['Müller'],
      'E-Mail (geschäftlich)': EMAILS,
      'E-Mail (privat)': EMAILS,
      Abteilung: ['Bäckerei'],
      Stellenbezeichnung: ['Bäcker'],
      Standort: ['Köln'],
      Kostenstelle: ['100'],
      Eintrittsdatum: ['31.01.2024'],
      Vertragsende: ['31.12.2026'],
      Geburtsdatum: ['31.01.1990'],
      Vorgesetzter: EMAILS,
    })
    expect(found).toEqual({
      externalId: 'Personalnummer',
      employeeNumber: 'Personalnummer',
      givenName: 'Vorname',
      familyName: 'Nachname',
      workEmail: 'E-Mail (geschäftlich)',
      personalEmail: 'E-Mail (privat)',
      department: 'Abteilung',
      title: 'Stellenbezeichnung',
      locationName: 'Standort',
      costCenter: 'Kostenstelle',
      startDate: 'Eintrittsdatum',
      endDate: 'Vertragsende',
      dateOfBirth: 'Geburtsdatum',
      manager: 'Vorgesetzter',
    })
  })

  it('a French payroll system', () => {
    const found = suggest({
      Matricule: IDS,
      Nom: ['Lefèvre'],
      Prénom: ['Zoé'],
      'Nom de jeune fille': ['Martin'],
      'Adresse e-mail': EMAILS,
      'Téléphone portable': PHONES,
      'Intitulé du poste': ['Boulanger'],
      Service: ['Boulangerie'],
      Établissement: ['Lyon 1'],
      Société: ['Acme'],
      "Date d'embauche": DMY,
      'Date de sortie': [],
      'Date de naissance': DMY,
      'Centre de coût': ['100'],
    })
    expect(found).toMatchObject({
      externalId: 'Matricule',
      employeeNumber: 'Matricule',
      familyName: 'Nom',
      givenName: 'Prénom',
      workEmail: 'Adresse e-mail',
      personalPhone: 'Téléphone portable',
      title: 'Intitulé du poste',
      department: 'Service',
      locationName: 'Établissement',
      organization: 'Société',
      startDate: "Date d'embauche",
      endDate: 'Date de sortie',
      dateOfBirth: 'Date de naissance',
      costCenter: 'Centre de coût',
    })
  })

  it.each([
    ['two ids', { 'Person ID': IDS, 'Employee ID': ['7', '8'] }, { externalId: 'Person ID', employeeNumber: 'Employee ID' }],
    [
      'names as an API gives them',
      { id: IDS, 'name.first': ['Ana', 'Bo'], 'name.last': ['Silva', 'Ek'] },
      { externalId: 'id', givenName: 'name.first', familyName: 'name.last' },
    ],
    ['attributes of a directory', { givenName: ['Ana'], sn: ['Silva'] }, { givenName: 'givenName', familyName: 'sn' }],
    ['a bare id', { ID: IDS, Name: ['Ana Silva'] }, { externalId: 'ID', displayName: 'Name' }],
    ['an id only values tell', { 'Colleague code': ['A1', 'A2'] }, { externalId: 'Colleague code' }],
    ['addresses only values tell', { Kontakt: EMAILS }, { workEmail: 'Kontakt' }],
    [
      'snake case',
      { employee_id: IDS, first_name: ['Ana'], hire_date: ISO },
      { externalId: 'employee_id', givenName: 'first_name', startDate: 'hire_date' },
    ],
    [
      'camel case',
      { givenName: ['Ana'], surname: ['Li'], jobTitle: ['Baker'] },
      { givenName: 'givenName', familyName: 'surname', title: 'jobTitle' },
    ],
    ['two titles', { Position: ['P1'], 'Job title': ['Baker'] }, { title: 'Job title' }],
    ['two phones', { Phone: PHONES, 'Office phone': PHONES }, { personalPhone: 'Phone', workPhone: 'Office phone' }],
    ['two managers', { 'Manager name': ['Bo Li'], 'Manager email': EMAILS }, { manager: 'Manager email' }],
  ])('%s', (_name, columns, expected) => {
    expect(suggest(columns as unknown as Record<string, readonly string[]>)).toMatchObject(expected)
  })
})

describe('the format of a suggested date', () => {
  it.each([
    ['samples allow one', DMY, 'DMY'],
    ['samples allow several', ['01/02/2024'], undefined],
    ['there are no samples', [], undefined],
  ])('when %s', (_name, samples, expected) => {
    const { fields } = suggestMapping([column('Start date', samples)])
    expect(fields.startDate).toEqual(expected ? { column: 'Start date', dateFormat: expected } : { column: 'Start date' })
  })
})

const NAMES = ['Ada', 'Bo']
const CORE = ['externalId', 'givenName', 'familyName', 'workEmail', 'startDate', 'endDate', 'department', 'dateOfBirth'] as const

describe('suggestMapping knows the headers of', () => {
  it.each([
    ['bare words', 'id|first|last|mail|start|end|dept|dob'],
    ['short forms', 'emp_no|fname|lname|email_addr|start_dt|term_dt|dept_name|birth_dt'],
    ['British payrolls', 'Payroll No|Forename|Surname|Work E-mail Address|Date Joined|Leaving Date|Department|DOB'],
    ['UKG', 'EEID|First|Last|Work Email|Last Hire|Term Date|Org Level 1|Birth Date'],
    ['SAP', 'PERNR|VORNA|NACHN|USRID_LONG|BEGDA|ENDDA|ORGEH|GBDAT'],
    ['DATEV', 'Personalnummer|Vorname|Familienname|E-Mail|Eintritt|Austritt|Abteilung|Geburtsdatum'],
    ['France', 'Matricule|Prénom|Nom de famille|Courriel professionnel|Date d’entrée|Date de sortie|Service|Date de naissance'],
    ['Spain', 'Código empleado|Nombre|Apellidos|Correo electrónico|Fecha de alta|Fecha de baja|Departamento|Fecha de nacimiento'],
    ['Italy', 'Matricola|Nome|Cognome|Email aziendale|Data assunzione|Data cessazione|Reparto|Data di nascita'],
    ['the Netherlands', 'Personeelsnummer|Voornaam|Achternaam|E-mailadres|Datum in dienst|Datum uit dienst|Afdeling|Geboortedatum'],
    ['Brazil', 'Matrícula|Primeiro nome|Sobrenome|E-mail|Data de admissão|Data de demissão|Departamento|Data de nascimento'],
  ])('%s', (_name, line) => {
    const headers = line.split('|')
    const samples = [IDS, NAMES, NAMES, EMAILS, DMY, DMY, ['Toys', 'Food'], DMY]
    const found = suggest(Object.fromEntries(headers.map((header, index) => [header, samples[index] ?? []])))
    expect(CORE.map((field) => found[field])).toEqual(headers)
  })

  it('others without taking a part of them for the whole', () => {
    const headers = {
      'First Aider': NAMES,
      'Last review': DMY,
      'End user': NAMES,
      'Start time': NAMES,
      'Given laptop': NAMES,
      Colour: NAMES,
    }
    expect(suggest(headers)).toEqual({})
    expect(suggest({ mgr_id: IDS, loc_id: ['1', '1'], job_id: IDS })).toMatchObject({ manager: 'mgr_id' })
    expect(suggest({ mgr_id: IDS }).externalId).toBeUndefined()
  })
})

describe('the date format of an empty column', () => {
  const formats = (columns: Record<string, readonly string[]>) =>
    Object.values(suggestMapping(Object.entries(columns).map(([name, samples]) => column(name, samples))).fields).map(
      (to) => to?.dateFormat,
    )

  it('is not guessed where the file does not tell, or tells two', () => {
    expect(formats({ 'End date': [] })).toEqual([undefined])
    expect(formats({ 'Start date': ['01/02/2024', '03/04/2024'], 'End date': [] })).toEqual([undefined, undefined])
    expect(formats({ 'Start date': ISO, 'Date of birth': DMY, 'End date': [] })).toEqual(['YMD', undefined, 'DMY'])
  })

  it('is the one that every other date of the file is written in', () => {
    expect(formats({ 'Start date': DMY, 'End date': [] })).toEqual(['DMY', 'DMY'])
  })
})
