/** Countries of the phone prefix picker in their order (1-console.md section 9); the first is the default. */
export const PHONE_COUNTRIES = [
  { country: 'GB', prefix: '+44' },
  { country: 'AT', prefix: '+43' },
  { country: 'BE', prefix: '+32' },
  { country: 'FR', prefix: '+33' },
  { country: 'DE', prefix: '+49' },
  { country: 'NL', prefix: '+31' },
  { country: 'ES', prefix: '+34' },
  { country: 'IE', prefix: '+353' },
  { country: 'IT', prefix: '+39' },
  { country: 'US', prefix: '+1' },
  { country: 'TH', prefix: '+66' },
] as const

export type PhoneCountry = (typeof PHONE_COUNTRIES)[number]['country']

/** The country of the picker for a default; the first one for what the picker does not have. */
export const phoneCountryOf = (country: string): PhoneCountry =>
  PHONE_COUNTRIES.find((one) => one.country === country)?.country ?? PHONE_COUNTRIES[0].country
