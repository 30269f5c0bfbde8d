/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.mock('zod', () => import('./schema-stand-in.ts'))

// the contract is read afresh, and nobody after this file meets what was read here
beforeAll(() => void vi.resetModules())
afterAll(() => void vi.resetModules())

test('checking a value in the browser is refused', async () => {
  const { Role } = await import('@instep/contract/roles.ts')
  expect(() => Role.parse('admin.super')).toThrow('the browser has no schemas: parse')
})

test('every call of the contract keeps its method, address and kinds without schemas', async () => {
  const { ENDPOINTS } = await import('@instep/contract/endpoints.ts')
  expect(ENDPOINTS.length).toBeGreaterThan(20)
  for (const endpoint of ENDPOINTS) {
    expect(endpoint.path).toMatch(/^\//)
    expect(endpoint.method).toMatch(/^(GET|POST|PUT|PATCH|DELETE)$/)
    expect(['json', 'multipart', 'none']).toContain(endpoint.bodyKind)
    expect(['json', 'events', 'file', 'none']).toContain(endpoint.responseKind)
  }
})

test('no part of the console asks a schema of the contract for anything but its type', () => {
  const folder = new URL('../', import.meta.url)
  const asked = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .flatMap((file) => {
      const found = readFileSync(new URL(file, folder), 'utf8').match(
        /\b(?!JSON\b|Date\b|URL\b)[A-Z]\w*\.(options|shape|parse|safeParse|parseAsync|safeParseAsync|enum)\b/g,
      )
      return (found ?? []).map((words) => `${file}: ${words}`)
    })
  expect(asked).toEqual([])
})
