/** The workplace's own interface: what people write. JSON, the company's bearer token. */
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { bears } from './bears-token.ts'
import { CONTENT_PLACES, ContentRefusal, type ItemQuery } from './content.ts'
import { RETRY_AFTER_SECONDS, SLOW_MS } from './weather.ts'
import type { Workplace } from './workplace.ts'

const PAGE = 50

const refuse = (response: Response, status: number, message: string) => response.status(status).json({ message })

const weathering = (workplace: Workplace) => (_request: Request, response: Response, next: NextFunction) => {
  const weather = workplace.weather()
  if (weather === 'failing') return void refuse(response, 500, 'The workplace is out of order.')
  if (weather === 'busy') return void refuse(response.set('Retry-After', String(RETRY_AFTER_SECONDS)), 429, 'Too many requests.')
  if (weather === 'slow') return void setTimeout(next, SLOW_MS)
  next()
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const queryOf = ({ query }: Request): ItemQuery => {
  const limit = Number(text(query.limit) ?? PAGE)
  return {
    author: text(query.author),
    before: text(query.before),
    after: text(query.after),
    limit: Number.isInteger(limit) && limit >= 1 && limit <= 1000 ? limit : PAGE,
  }
}

/** Mount at `/workplace/{company}/api/v1`. */
export const contentRoutes = (workplace: Workplace): Router => {
  const { content, company } = workplace
  const router = Router()
  router.use(weathering(workplace), (request, response, next) =>
    bears(request, company.token) ? next() : void refuse(response, 401, 'A valid bearer token of this company is needed.'),
  )
  router.use(express.json({ type: () => true }))
  for (const place of CONTENT_PLACES) {
    router.get(`/${place}`, (request, response) => void response.json(content.list(place, queryOf(request))))
    router.delete(`/${place}/:id`, (request, response) =>
      content.remove(place, request.params.id)
        ? void response.status(204).end()
        : void refuse(response, 404, 'There is nothing of this id.'),
    )
    if (place !== 'shift-posts')
      router.post(`/${place}`, (request, response) => void response.status(201).json(content.write(place, request.body ?? {})))
  }
  router.put(
    '/shift-posts/:id',
    (request, response) => void response.json(content.write('shift-posts', request.body ?? {}, request.params.id)),
  )
  router.use((_request, response) => void refuse(response, 404, 'There is no such endpoint.'))
  // biome-ignore lint/complexity/useMaxParams: Express tells an error handler by its four parameters
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (error instanceof ContentRefusal) return void refuse(response, 400, error.message)
    const unreadable = error instanceof Error && 'status' in error && error.status === 400
    return unreadable ? void refuse(response, 400, 'The body is no JSON.') : next(error)
  })
  return router
}
