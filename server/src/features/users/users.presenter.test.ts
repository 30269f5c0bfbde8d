import { describe, expect, it } from 'vitest'
import { presentRow, shownStatus, type UserListRecord } from './users.presenter.ts'

describe('the status that is shown', () => {
  const off = new Date(0)
  it.each([
    [{ active: true, claim_state: 'awaitingInvitation', deactivated_at: null }, 'awaitingInvitation'],
    [{ active: true, claim_state: 'invited', deactivated_at: null }, 'invited'],
    [{ active: true, claim_state: 'claimed', deactivated_at: null }, 'claimed'],
    [{ active: true, claim_state: 'claimed', deactivated_at: off }, 'claimed'],
    [{ active: false, claim_state: 'claimed', deactivated_at: off }, 'deactivated'],
    [{ active: false, claim_state: 'awaitingInvitation', deactivated_at: off }, 'deactivated'],
    [{ active: false, claim_state: 'awaitingInvitation', deactivated_at: null }, 'inactive'],
  ])('of %j is %s', (parts, shown) => expect(shownStatus(parts)).toBe(shown))
})

it('a person is told in a list by employee number, else by external id', () => {
  const row = { employee_number: null, external_id: 'NW-1', active: true, updated_at: new Date(0) } as UserListRecord
  expect(presentRow(row).employeeId).toBe('NW-1')
  expect(presentRow({ ...row, employee_number: '42' }).employeeId).toBe('42')
})
