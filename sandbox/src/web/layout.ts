/** The frame of every page. */
import type { Response } from 'express'
import { COMPANIES } from '../world.ts'
import { type Html, html } from './html.ts'

export interface Page {
  readonly title: string
  /** The outside system that the page belongs to. */
  readonly system: 'Sandbox' | 'HR system' | 'Workplace'
  /** Path of the entry of the navigation that is open. */
  readonly path: string
  readonly content: Html
}

const ENTRIES = [
  { path: '/hr', label: 'HR system' },
  ...COMPANIES.map((company) => ({ path: `/workplace/${company.slug}`, label: `Workplace of ${company.name}` })),
]

/** A whole number for a reader. */
export const count = (value: number): string => value.toLocaleString('en-GB')

/** `YYYY-MM-DD` as DD/MM/YYYY. */
export const dayFirst = (date: string): string => date.split('-').reverse().join('/')

/** An ISO instant as DD/MM/YYYY HH:mm:ss, in UTC. */
export const instant = (iso: string): string => `${dayFirst(iso.slice(0, 10))} ${iso.slice(11, 19)}`

/** A table that scrolls by itself, reachable by keyboard. `label` names it. */
export const tableRegion = (label: string, table: Html): Html =>
  html`<div class="table" role="region" aria-label="${label}" tabindex="0">${table}</div>`

/** A state: a mark of its own shape and a word. */
export const stateMark = (kind: 'on' | 'off' | 'joiner' | 'mover' | 'leaver', word: string): Html =>
  html`<span class="mark mark-${kind}">${word}</span>`

/** Sends the page. */
export const sendPage = (response: Response, page: Page, status = 200) => {
  const document = html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Sandbox</title>
<link rel="stylesheet" href="/assets/sandbox.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<p class="banner"><strong>Sandbox</strong> An outside system for trying things out. Its people and accounts are invented.</p>
<div class="bar">
<p class="brand">${page.system}</p>
<nav aria-label="Systems"><ul>${ENTRIES.map(
    (entry) => html`<li><a href="${entry.path}"${entry.path === page.path && html` aria-current="page"`}>${entry.label}</a></li>`,
  )}</ul></nav>
</div>
</header>
<main id="content" tabindex="-1">${page.content}</main>
</body>
</html>
`
  response.status(status).type('html').send(document.html)
}
