import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxForTests, type TestSandbox } from '../testing/sandbox-for-tests.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

let sandbox: TestSandbox
const ids: string[] = []

beforeAll(async () => {
  sandbox = await sandboxForTests({ people: 10 })
  for (let index = 0; index < 60; index += 1) {
    const displayName = index === 59 ? '<b>Bobby</b> & "Tables"' : `Person ${String(index).padStart(2, '0')}`
    const body = { schemas: [USER], userName: `person-${index}@northwind.example`, displayName, title: 'Barista', active: index % 10 > 0 }
    ids.push((await sandbox.scim({ method: 'POST', path: '/Users', body })).body.id)
  }
})
afterAll(() => sandbox.close())

const page = async (path: string) => {
  const response = await fetch(`${sandbox.url()}${path}`, { headers: { accept: 'text/html' } })
  return { response, text: await response.text() }
}

const rowsIn = (text: string) => text.split('<tbody>')[1]?.split('<tr>').length ?? 1

describe('the accounts page', () => {
  it('is not found for a company or an account that is not there', async () => {
    expect((await page('/workplace/fabrikam')).response.status).toBe(404)
    expect((await page('/workplace/northwind/accounts/nobody')).response.status).toBe(404)
  })

  it('never takes an account’s name for HTML', async () => {
    const { text } = await page('/workplace/northwind?search=tables')
    expect(text).toContain('&lt;b&gt;Bobby&lt;/b&gt; &amp; &quot;Tables&quot;')
    expect(text).not.toContain('<b>Bobby')
  })

  it('keeps what was searched for, whatever it is', async () => {
    expect((await page(`/workplace/northwind?search=${encodeURIComponent('"><script>')}`)).text).toContain(
      'value="&quot;&gt;&lt;script&gt;"',
    )
  })

  it('runs no script and loads nothing from elsewhere', async () => {
    const { response, text } = await page('/workplace/northwind')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toMatch(/<script|style=|https?:\/\//)
  })

  it('shows accounts page by page', async () => {
    const first = (await page('/workplace/northwind')).text
    expect(rowsIn(first) - 1).toBe(50)
    expect(first).toContain('1 to 50 of 60')
    const second = (await page('/workplace/northwind?page=2')).text
    expect(rowsIn(second) - 1).toBe(10)
    expect(second).toContain('Previous')
    expect(second).not.toContain('>Next<')
  })

  it('finds by state and by text, and says when nothing is found', async () => {
    expect((await page('/workplace/northwind?state=deactivated')).text).toContain('1 to 6 of 6')
    expect((await page('/workplace/northwind?search=PERSON-7@')).text).toContain('1 to 1 of 1')
    expect((await page('/workplace/northwind?search=nobody')).text).toContain('No account matches.')
    expect((await page('/workplace/contoso')).text).toContain('No accounts yet.')
  })

  it('shows one account’s whole document', async () => {
    const { text } = await page(`/workplace/northwind/accounts/${ids[0]}`)
    expect(text).toContain('Deactivated</span>')
    expect(text).toContain('&quot;userName&quot;: &quot;person-0@northwind.example&quot;')
  })
})

describe('the weather page', () => {
  it('turns the weather by a button', async () => {
    const response = await fetch(`${sandbox.url()}/workplace/contoso/weather`, {
      method: 'POST',
      body: new URLSearchParams({ weather: 'failing' }),
    })
    expect(response.url).toBe(`${sandbox.url()}/workplace/contoso/weather`)
    expect(await response.text()).toContain('value="failing" aria-pressed="true"')
    expect((await page('/workplace/contoso')).text).toContain('Every request is answered 500.')
  })
})
