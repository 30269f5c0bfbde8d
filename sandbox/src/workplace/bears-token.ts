import { timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'

/** Whether a request carries this bearer token. */
export const bears = (request: Request, token: string): boolean => {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
