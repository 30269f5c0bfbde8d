/** Headers of every page, and the refusal of forms that another site sends. */
import type { NextFunction, Request, Response } from 'express'

const POLICY = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export const securityHeaders = (_request: Request, response: Response, next: NextFunction) => {
  response.set({
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  })
  next()
}

/** Browsers say where a request comes from; programs do not say and are let through. */
export const sameOriginOnly = (request: Request, response: Response, next: NextFunction) => {
  const from = request.headers['sec-fetch-site']
  if (request.method === 'GET' || from === undefined || from === 'same-origin' || from === 'none') return next()
  response.status(403).type('text').send('Only the sandbox’s own pages may do this.')
}
