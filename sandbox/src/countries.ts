/** What differs from country to country: names, languages, phone numbers, legal forms. */
import type { CountryCode } from './world.ts'

export interface Country {
  readonly language: string
  /** Follows the company's name in the name of its employing company. */
  readonly legalForm: string
  /** A mobile number is this and seven digits, the first of which is at least `firstDigit`. */
  readonly mobilePrefix: string
  readonly firstDigit: number
  /** Names outside the Latin script carry their romanised form after a bar. */
  readonly female: readonly string[]
  readonly male: readonly string[]
  readonly family: readonly string[]
}

const words = (text: string): string[] => text.split(', ')

const country = (facts: {
  language: string
  legalForm: string
  mobilePrefix: string
  firstDigit?: number
  female: string
  male: string
  family: string
}): Country => ({
  ...facts,
  firstDigit: facts.firstDigit ?? 0,
  female: words(facts.female),
  male: words(facts.male),
  family: words(facts.family),
})

export const COUNTRIES: Readonly<Record<CountryCode, Country>> = {
  GB: country({
    language: 'en-GB',
    legalForm: 'Retail Ltd',
    mobilePrefix: '+44740',
    female: 'Amelia, Olivia, Zainab, Grace, Priya, Chloë, Siân, Amara, Imogen, Yasmin, Niamh, Harriet, Ruth, Folasade, Mei, Zoë',
    male: 'Oliver, Harry, Mohammed, Callum, Arjun, Rhys, Tomasz, Kwame, George, Alistair, Owen, Hamza, Daniel, Ewan, Joseph, Tunde',
    family:
      "Smith, Patel, O'Sullivan, Taylor, Khan, Williams, Okafor, Hughes, MacDonald, Begum, Evans, O'Brien, Kowalski, Fletcher, Adeyemi, Singh, Whitfield, Clarke, Campbell-Reid, Murphy",
  }),
  IE: country({
    language: 'en-IE',
    legalForm: 'Components DAC',
    mobilePrefix: '+35387',
    female: 'Aoife, Saoirse, Ciara, Niamh, Róisín, Gráinne, Emily, Fiadh',
    male: 'Conor, Seán, Cillian, Oisín, Pádraig, Liam, Darragh, Fionn',
    family: "Murphy, O'Connor, Ní Dhomhnaill, Byrne, Walsh, O'Neill, Kelly, Doyle, Ó Súilleabháin, McCarthy, Brennan, Nowak",
  }),
  FR: country({
    language: 'fr-FR',
    legalForm: 'Distribution SAS',
    mobilePrefix: '+3361',
    female: 'Élodie, Chloé, Léa, Inès, Aïcha, Manon, Margaux, Zoé, Fatou, Hélène, Anne-Sophie, Maëlys, Océane, Clémence',
    male: 'Étienne, Hugo, Théo, Mathéo, Jérôme, Mamadou, Jean-Baptiste, Loïc, Gaël, Karim, Rémi, Noël, Yanis, François',
    family:
      "Moreau, Lefèvre, Dubois, N'Diaye, Bénard, Traoré, Garnier, D'Almeida, Lemoine, Château, Rousseau, Benali, Mercier, Le Goff, Lachâtre, Haddad, Lecœur",
  }),
  DE: country({
    language: 'de-DE',
    legalForm: 'Handel GmbH & Co. KG',
    mobilePrefix: '+491512',
    female: 'Lena, Jördis, Käthe, Anneliese, Ayşe, Mia, Greta, Юлия|Yuliya, Friederike, Svenja, Zeynep, Hannah',
    male: 'Jürgen, Lukas, Björn, Sören, Emre, Günther, Jörg, Finn, Dmytro, Matthias, Алексей|Aleksei, Henrik',
    family:
      'Müller, Schröder, Weiß, Yılmaz, Großmann, Köhler, Jäger, Böhm, Demir, von der Heide, Schneider, Kaufmann, Петренко|Petrenko, Vogt, Hübner',
  }),
  AT: country({
    language: 'de-AT',
    legalForm: 'Österreich GmbH',
    mobilePrefix: '+43664',
    female: 'Magdalena, Valentina, Theresa, Jovana, Elif, Johanna, Bärbel, Sophie',
    male: 'Maximilian, Florian, Dragan, Sebastian, Matthäus, Leopold, Raphael, Stefan',
    family: 'Gruber, Wagner, Jovanović, Steiner, Pöchlhacker, Hölzl, Petrović, Eder, Kovač, Moser, Strauß',
  }),
  NL: country({
    language: 'nl-NL',
    legalForm: 'Winkels B.V.',
    mobilePrefix: '+3161',
    female: 'Sanne, Fleur, Anouk, Esmée, Noa, Maartje, Fatima, Yfke, Renée, Jolijn',
    male: 'Daan, Sem, Thijs, Ruben, Youssef, Sjoerd, Bram, Joël, Willem, Jeroen',
    family: "de Vries, van den Berg, Bakker, 't Hart, El Amrani, Jansen, Visser, van Dijk, Hoekstra, Çelik, de Boer, IJzerman",
  }),
  BE: country({
    language: 'nl-BE',
    legalForm: 'België NV',
    mobilePrefix: '+3247',
    female: 'Lotte, Marie, Eléonore, Amina, Femke, Louise, Charlotte, Noor',
    male: 'Arthur, Lars, Wout, Jules, Bilal, Stijn, Maarten, Jérémie',
    family: "Peeters, Janssens, D'Hondt, Vandenbroucke, Maes, Claes, Dupont, Bouzid, De Smet, Vermeulen, T'Jampens",
  }),
  ES: country({
    language: 'es-ES',
    legalForm: 'Iberia S.L.',
    mobilePrefix: '+3461',
    female: 'Lucía, María José, Carmen, Sofía, Begoña, Inés, Ximena, Nerea, Rocío, Macarena',
    male: 'Mateo, Álvaro, José Ángel, Íñigo, Iván, Andrés, Joaquín, Raúl, Jesús, Hugo',
    family:
      'García Núñez, Fernández, López Ibáñez, Martín, Peña, Ruiz Cárdenas, Gómez, Muñoz, Jiménez, Álvarez, Hernández Vega, Ortuño, Benítez',
  }),
  IT: country({
    language: 'it-IT',
    legalForm: 'Italia S.r.l.',
    mobilePrefix: '+39347',
    female: 'Giulia, Aurora, Beatrice, Chiara, Noemi, Mariasole, Federica, Ludovica',
    male: 'Leonardo, Niccolò, Matteo, Andrea, Tommaso, Gioele, Riccardo, Davide',
    family: "D'Angelo, Rossi, Dell'Acqua, Esposito, Ferrari, Bianchi, Conti, Sartò, Gallo, De Luca, Ricci, Hoxha",
  }),
  US: country({
    language: 'en-US',
    legalForm: 'Stores, Inc.',
    mobilePrefix: '+1512',
    firstDigit: 2,
    female: 'Emma, Madison, Guadalupe, Aaliyah, Brooke, Thuy, Savannah, Jasmine',
    male: 'Tyler, José, DeShawn, Wyatt, Minh, Cody, Marcus, Ethan',
    family: "Johnson, Hernandez, Nguyen, Washington, McAllister, O'Reilly, Garza, Thompson, Lee, Peña, St. Clair, Davis",
  }),
  TH: country({
    language: 'th-TH',
    legalForm: '(Thailand) Co., Ltd.',
    mobilePrefix: '+6681',
    female: 'Siriporn, Kanya, สุดา|Suda, Malee, Pim, นภา|Napa, Ratana, Chanida',
    male: 'Somchai, Anan, ธนา|Thana, Niran, Kittisak, สมชาย|Somchai, Prasert, Wichai',
    family: 'Srisuk, ใจดี|Jaidee, Wongsawat, Charoenpura, Rattanakosin, บุญมี|Boonmee, Saetang, Phromma, Thongchai, Chaiyasit',
  }),
}

/** The name as it is written. */
export const written = (name: string): string => name.split('|')[0] ?? name

/** Lower-case letters a to z of the name, as e-mail addresses use them. */
export const addressPart = (name: string): string =>
  (name.split('|')[1] ?? name)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
