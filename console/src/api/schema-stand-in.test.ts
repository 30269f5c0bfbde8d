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
