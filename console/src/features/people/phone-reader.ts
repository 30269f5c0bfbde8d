import { useEffect, useState } from 'react'
import type { PhoneCountry } from '../../shared/phone-countries.ts'

/** A number as E.164, `+447911123456`, or null where it is none; the country is for numbers that do not say theirs. */
export type PhoneReader = (number: string, country: PhoneCountry | undefined) => string | null

/** The reader with its tables of the world's numbers, loaded when first needed. */
export const loadPhoneReader = async (): Promise<PhoneReader> => {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  return (number, country) => {
    const read = parsePhoneNumberFromString(number, country)
    return read?.isValid() ? read.number : null
  }
}

/** The reader once it is there; nothing is loaded until a number is asked for. */
export const usePhoneReader = (wanted: boolean): PhoneReader | undefined => {
  const [reader, setReader] = useState<PhoneReader>()
  useEffect(() => {
    if (!wanted || reader) return
    let left = false
    loadPhoneReader().then(
      (loaded) => !left && setReader(() => loaded),
      // offline: the server checks numbers as well
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [wanted, reader])
  return reader
}
