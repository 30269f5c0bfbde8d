/** Numbers of Italy keep the zero that other countries leave out when somebody calls from abroad. */
const KEEPS_ZERO = '+39'

/** A number with its country's prefix (`+44`) in front; one that says its country already stays as it is. Pure. */
export const withPhonePrefix = (number: string, prefix: string): string => {
  if (number === '' || prefix === '' || number.startsWith('+') || number.startsWith('00')) return number
  const digits = number.replace(/[\s()./\u00a0-]/g, '')
  return prefix + (prefix === KEEPS_ZERO ? digits : digits.replace(/^0/, ''))
}
