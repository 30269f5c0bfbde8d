import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { handleErrors } from './error-handler.ts'
import { problem } from './problem.ts'

const answerTo = async (error: Error) => {
  const app = Fastify()
  handleErrors(app)
  app.get('/', () => {
    throw error
  })
  const { statusCode, headers, body } = await app.inject('/')
  return { status: statusCode, retryAfter: headers['retry-after'], body }
}

it('a bug is a 500 that tells nothing of itself', async () => {
  const { status, body } = await answerTo(new TypeError('secret is not a function'))
  expect([status, JSON.parse(body).code]).toEqual([500, 'INTERNAL'])
  expect(body).not.toContain('secret')
})

it.each(['57P01', '40P01', 'ECONNREFUSED'])('a database that could not answer this time is a 503: %s', async (code) => {
  const { status, retryAfter, body } = await answerTo(Object.assign(new Error('secret'), { code }))
  expect([status, retryAfter, JSON.parse(body).code]).toEqual([503, '30', 'UNAVAILABLE'])
  expect(body).not.toContain('secret')
})

it('a problem answers with its own status and says when to come again', async () => {
  expect(await answerTo(problem('TOO_MANY_REQUESTS'))).toMatchObject({ status: 429, retryAfter: '30' })
  expect((await answerTo(problem('NOT_FOUND'))).status).toBe(404)
})
