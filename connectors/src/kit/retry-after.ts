const LONGEST_WAIT = 86_400

/** Seconds until the time that `Retry-After` names, as a number or as a date, a day at most; undefined when it says nothing usable (RFC 9110, 10.2.3). */
export const retryAfter = (header: string | string[] | undefined, now: Date): number | undefined => {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_WAIT) : undefined
}
