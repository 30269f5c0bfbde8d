import { expect, test } from 'vitest'
import { playwrightFailures, vitestFailures } from './test-failures.mjs'

test('names what failed, what was left out and what could not be loaded, and nothing that passed', () => {
  const report = {
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'is one' },
          {
            status: 'failed',
            fullName: 'is two',
            failureMessages: ['expected 1 to be 2\n    at node_modules/vitest/x.js\n    at a.test.ts:2:34'],
          },
          { status: 'pending', fullName: 'is three' },
        ],
      },
      { name: 'b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', message: '', assertionResults: [] },
    ],
  }
  expect(vitestFailures(report)).toEqual([
    'a.test.ts: is two (failed)\n    expected 1 to be 2\n        at a.test.ts:2:34',
    'a.test.ts: is three (pending)\n    no message',
    'b.test.ts\n    Cannot find module',
  ])
})

test('names the journeys that failed with where they stand, and what broke beside them', () => {
  const test = (status: string, message?: string) => ({ status, results: [message ? { error: { message } } : {}] })
  const report = {
    suites: [
      {
        title: 'people.e2e.ts',
        specs: [{ title: 'opens', ok: true, tests: [test('expected')] }],
        suites: [
          {
            title: 'a drawer',
            specs: [{ title: 'closes', ok: false, tests: [test('unexpected', '\u001b[31mTimeout\u001b[0m of 30000ms')] }],
          },
        ],
      },
    ],
    errors: [{ message: 'no browser' }],
  }
  expect(playwrightFailures(report)).toEqual(['people.e2e.ts: a drawer: closes (unexpected)\n    Timeout of 30000ms', '    no browser'])
})
