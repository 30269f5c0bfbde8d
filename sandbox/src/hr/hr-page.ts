/** The page of one company's HR system. */
import { type Html, html } from '../web/html.ts'
import { count, dayFirst, stateMark, tableRegion } from '../web/layout.ts'
import { COMPANIES } from '../world.ts'
import type { HrSystem } from './hr-system.ts'
import { dateOf } from './people.ts'
import type { DayChange } from './start-of-day.ts'
import { TROUBLES } from './trouble.ts'

const FIRST_PEOPLE = 25

const WORDS = { joiner: 'Joiner', mover: 'Mover', leaver: 'Leaver' } as const

const ORDER: readonly DayChange['kind'][] = ['joiner', 'mover', 'leaver']

const changesTable = (changes: readonly DayChange[]): Html =>
  changes.length === 0
    ? html`<p class="hint">Nothing changed today. “Next day” lets people join, move and leave.</p>`
    : tableRegion(
        'Changes of today',
        html`<table>
<thead><tr><th scope="col">Change</th><th scope="col">Person ID</th><th scope="col">Name</th><th scope="col">What</th></tr></thead>
<tbody>${[...changes]
          .sort((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind))
          .map(
            (change) =>
              html`<tr><td>${stateMark(change.kind, WORDS[change.kind])}</td><td class="keep">${change.externalId}</td><td class="name">${change.name}</td><td class="wide">${change.what}</td></tr>`,
          )}</tbody>
</table>`,
      )

const peopleTable = (hr: HrSystem): Html =>
  tableRegion(
    'First people',
    html`<table>
<thead><tr><th scope="col">Person ID</th><th scope="col">Name</th><th scope="col">Job</th><th scope="col">Location</th><th scope="col">Work email</th><th scope="col">Start date</th></tr></thead>
<tbody>${hr
      .people()
      .slice(0, FIRST_PEOPLE)
      .map(
        (person) =>
          html`<tr><td class="keep">${person.externalId}</td><td class="name">${person.givenName} ${person.familyName}</td><td>${person.title}<span class="second">${person.department}</span></td><td>${person.location}</td><td>${person.workEmail ?? 'None'}</td><td class="keep">${dayFirst(person.startDate)}</td></tr>`,
      )}</tbody>
</table>`,
  )

const downloads = (base: string): Html => html`<ul class="row">
<li><a class="button" href="${base}/export.csv" download>CSV</a></li>
<li><a class="button" href="${base}/export.xlsx" download>Excel (XLSX)</a></li>
<li><a class="button" href="${base}/export.csv?delimiter=semicolon&encoding=utf-8-bom" download>CSV, semicolons, UTF-8 with BOM</a></li>
<li><a class="button" href="${base}/export.csv?encoding=utf-16le" download>CSV, UTF-16</a></li>
<li><a class="button" href="${base}/export.csv?delimiter=semicolon&encoding=windows-1252" download>CSV, semicolons, Windows-1252</a></li>
</ul>`

const badDay = (hr: HrSystem, base: string): Html => html`<form method="post" action="${base}/bad-day">
<ul class="choices">${Object.entries(TROUBLES).map(
  ([kind, trouble]) =>
    html`<li><button name="kind" value="${kind}" aria-pressed="${String(hr.trouble() === kind)}">${trouble.name}</button><span>${trouble.what}</span></li>`,
)}
<li><button name="kind" value="none" aria-pressed="${String(hr.trouble() === null)}">All well</button><span>The export is as it should be.</span></li>
</ul>
</form>`

/** How many of each kind of change there are. */
export const countChanges = (changes: readonly DayChange[]) => ({
  joiners: changes.filter((change) => change.kind === 'joiner').length,
  movers: changes.filter((change) => change.kind === 'mover').length,
  leavers: changes.filter((change) => change.kind === 'leaver').length,
})

export const hrPage = (hr: HrSystem): Html => {
  const base = `/hr/${hr.company.slug}`
  const { joiners, movers, leavers } = countChanges(hr.changes())
  const trouble = hr.trouble()
  const others = COMPANIES.filter((company) => company.slug !== hr.company.slug)
  return html`<h1>HR of ${hr.company.name}</h1>
<p class="hint">Day ${hr.day()}, ${dayFirst(dateOf(hr.day()))}. Other company: ${others.map((company) => html`<a href="/hr/${company.slug}">${company.name}</a>`)}</p>
<form method="post" action="${base}/next-day"><button class="primary">Next day</button></form>
${trouble && html`<p class="notice">A bad day: ${TROUBLES[trouble].what} It ends with the next day.</p>`}
<dl class="figures">
<div><dt>People</dt><dd>${count(hr.people().length)}</dd></div>
<div><dt>Joiners today</dt><dd>${count(joiners)}</dd></div>
<div><dt>Movers today</dt><dd>${count(movers)}</dd></div>
<div><dt>Leavers today</dt><dd>${count(leavers)}</dd></div>
</dl>
<section><h2>Employee export</h2>${downloads(base)}</section>
<section><h2>Changes of today</h2>${changesTable(hr.changes())}</section>
<section><h2>Bad day</h2><p class="hint">What goes wrong with exports in real life. The people themselves stay as they are.</p>${badDay(hr, base)}</section>
<section><h2>First people</h2><p class="hint">${count(Math.min(FIRST_PEOPLE, hr.people().length))} of ${count(hr.people().length)}. The export has all of them.</p>${peopleTable(hr)}</section>`
}
