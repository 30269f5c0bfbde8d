/** The pages of one company's workplace: its accounts as a person would look at them, one account, the weather. */
import { isObject, type Json, type JsonObject } from '../scim/read-document.ts'
import { ENTERPRISE_ID } from '../scim/schemas.ts'
import { type Html, html } from '../web/html.ts'
import { count, instant, stateMark, tableRegion } from '../web/layout.ts'
import type { Resource } from './shelf.ts'
import { WEATHERS } from './weather.ts'
import type { Workplace } from './workplace.ts'

const PER_PAGE = 50

export const ACCOUNT_STATES = ['all', 'active', 'deactivated'] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]

/** What the list was asked for. `page` counts from 1. */
export interface AccountsQuery {
  readonly search: string
  readonly state: AccountState
  readonly page: number
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const inside = (value: Json | undefined, name: string): string => (isObject(value) ? text(value[name]) : '')

/** An account as the list shows it. */
const summaryOf = ({ document }: Resource) => {
  const parts = `${inside(document.name, 'givenName')} ${inside(document.name, 'familyName')}`.trim()
  return {
    name: text(document.displayName) || inside(document.name, 'formatted') || parts || text(document.userName),
    userName: text(document.userName),
    externalId: text(document.externalId),
    title: text(document.title),
    department: inside(document[ENTERPRISE_ID], 'department'),
    active: document.active !== false,
  }
}

const fits = (resource: Resource, { search, state }: AccountsQuery): boolean => {
  const summary = summaryOf(resource)
  if (state !== 'all' && summary.active !== (state === 'active')) return false
  const wanted = search.toLowerCase()
  const { name, userName, externalId, title, department } = summary
  return wanted === '' || [name, userName, externalId, title, department].some((value) => value.toLowerCase().includes(wanted))
}

const activeMark = (active: boolean) => (active ? stateMark('on', 'Active') : stateMark('off', 'Deactivated'))

const accountRow = (base: string, resource: Resource): Html => {
  const account = summaryOf(resource)
  return html`<tr><td class="name"><a href="${base}/accounts/${resource.id}">${account.name}</a></td><td>${account.userName}<span class="second">${account.externalId}</span></td><td>${account.title}<span class="second">${account.department}</span></td><td>${activeMark(account.active)}</td><td class="keep">${instant(resource.lastModified)}</td></tr>`
}

const accountsTable = (base: string, accounts: readonly Resource[]): Html =>
  tableRegion(
    'Accounts',
    html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">User name</th><th scope="col">Job</th><th scope="col">State</th><th scope="col">Changed (UTC)</th></tr></thead>
<tbody>${accounts.map((account) => accountRow(base, account))}</tbody>
</table>`,
  )

const linkTo = (base: string, query: AccountsQuery, page: number): string =>
  `${base}?${new URLSearchParams({ search: query.search, state: query.state, page: String(page) })}`

const paging = (base: string, query: AccountsQuery, found: number): Html => {
  const pages = Math.max(1, Math.ceil(found / PER_PAGE))
  const from = Math.min(found, (query.page - 1) * PER_PAGE + 1)
  return html`<nav aria-label="Pages"><ul class="row">
<li>${count(from)} to ${count(Math.min(found, query.page * PER_PAGE))} of ${count(found)}</li>
${query.page > 1 && html`<li><a class="button" href="${linkTo(base, query, query.page - 1)}">Previous</a></li>`}
${query.page < pages && html`<li><a class="button" href="${linkTo(base, query, query.page + 1)}">Next</a></li>`}
</ul></nav>`
}

const searchForm = (base: string, query: AccountsQuery): Html => html`<form class="row" method="get" action="${base}" role="search">
<label class="field">Search<input type="search" name="search" value="${query.search}"></label>
<label class="field">State<select name="state">${ACCOUNT_STATES.map(
  (state) => html`<option value="${state}"${state === query.state && html` selected`}>${state[0]?.toUpperCase()}${state.slice(1)}</option>`,
)}</select></label>
<button>Search</button>
</form>`

const nothingFound = (workplace: Workplace, base: string): Html =>
  workplace.directory.users.size() === 0
    ? html`<p class="hint">No accounts yet. They appear when a client creates them over SCIM.</p>`
    : html`<p class="hint">No account matches. <a href="${base}">Show all accounts</a></p>`

/** The list of accounts, newest change not first but in the order of creation. */
export const accountsPage = (workplace: Workplace, query: AccountsQuery): Html => {
  const base = `/workplace/${workplace.company.slug}`
  const all = [...workplace.directory.users.all()]
  const active = all.filter((account) => account.document.active !== false).length
  const found = all.filter((account) => fits(account, query))
  const shown = found.slice((query.page - 1) * PER_PAGE, query.page * PER_PAGE)
  const weather = workplace.weather()
  return html`<h1>Workplace of ${workplace.company.name}</h1>
<p class="hint">Its SCIM 2.0 endpoint is ${base}/scim/v2. <a href="${base}/stats">Requests since start</a> · <a href="${base}/weather">Weather: ${WEATHERS[weather].name}</a></p>
${weather !== 'fine' && html`<p class="notice">${WEATHERS[weather].what}</p>`}
<dl class="figures">
<div><dt>Accounts</dt><dd>${count(all.length)}</dd></div>
<div><dt>Active</dt><dd>${count(active)}</dd></div>
<div><dt>Deactivated</dt><dd>${count(all.length - active)}</dd></div>
<div><dt>Groups</dt><dd>${count(workplace.directory.groups.size())}</dd></div>
</dl>
<section><h2>Accounts</h2>${searchForm(base, query)}
${found.length === 0 ? nothingFound(workplace, base) : [accountsTable(base, shown), paging(base, query, found.length)]}</section>`
}

/** One account; `presented` is what SCIM answers for it. */
export const accountPage = (workplace: Workplace, resource: Resource, presented: JsonObject): Html => {
  const account = summaryOf(resource)
  const base = `/workplace/${workplace.company.slug}`
  return html`<h1>${account.name}</h1>
<p class="hint"><a href="${base}">All accounts of ${workplace.company.name}</a></p>
<p>${activeMark(account.active)}</p>
<dl class="figures">
<div><dt>User name</dt><dd>${account.userName}</dd></div>
<div><dt>Version</dt><dd>${resource.version}</dd></div>
<div><dt>Created (UTC)</dt><dd>${instant(resource.created)}</dd></div>
<div><dt>Changed (UTC)</dt><dd>${instant(resource.lastModified)}</dd></div>
</dl>
<section><h2>SCIM document</h2><pre role="region" aria-label="SCIM document" tabindex="0">${JSON.stringify(presented, null, 2)}</pre></section>`
}

export const weatherPage = (workplace: Workplace): Html => {
  const base = `/workplace/${workplace.company.slug}`
  return html`<h1>Weather at ${workplace.company.name}</h1>
<p class="hint">How well its SCIM endpoint answers. <a href="${base}">Accounts</a></p>
<section><h2>Weather</h2>
<form method="post" action="${base}/weather"><ul class="choices">${Object.entries(WEATHERS).map(
    ([kind, weather]) =>
      html`<li><button name="weather" value="${kind}" aria-pressed="${String(workplace.weather() === kind)}">${weather.name}</button><span>${weather.what}</span></li>`,
  )}</ul></form></section>
<section><h2>One account that is refused</h2>
<p>An account whose user name or external id contains <strong>+reject</strong> is always refused (400 invalidValue).</p></section>`
}
