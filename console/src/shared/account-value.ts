/** A value of an account as it is read; null for none. Lists and objects of another system stand as they are. */
export const accountValue = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
