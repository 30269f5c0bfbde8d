/** The HR system over HTTP. Mount at `/hr`. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type NextFunction, type Request, type Response, Router } from 'express'
import { sendPage } from '../web/layout.ts'
import { ENCODINGS, isEncoding } from './encode-text.ts'
import { DELIMITERS, exportCsv, isDelimiter } from './export-csv.ts'
import { type ExportTable, exportTable } from './export-table.ts'
import { exportXlsx } from './export-xlsx.ts'
import { countChanges, hrPage } from './hr-page.ts'
import type { HrSystem } from './hr-system.ts'
import { dateOf } from './people.ts'
import { isTrouble, TROUBLES } from './trouble.ts'

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const showPage = (hr: HrSystem, response: Response) =>
  sendPage(response, { title: `HR of ${hr.company.name}`, system: 'HR system', path: '/hr', content: hrPage(hr) })

const statusOf = (hr: HrSystem) => ({
  company: hr.company.slug,
  day: hr.day(),
  date: dateOf(hr.day()),
  people: hr.people().length,
  trouble: hr.trouble(),
  ...countChanges(hr.changes()),
})

const badRequest = (response: Response, name: string, known: readonly string[]) =>
  response
    .status(400)
    .type('text')
    .send(`${name} must be one of ${known.join(', ')}.`)

/** A browser goes back to the page, a program gets the status. */
const done = (hr: HrSystem, request: Request, response: Response) => {
  if (request.accepts(['json', 'html']) === 'html') response.redirect(303, `/hr/${hr.company.slug}`)
  else response.json(statusOf(hr))
}

/** `?trouble=` shows what a bad day's export looks like without making the day a bad one. */
const tableFor = (hr: HrSystem, request: Request): ExportTable => {
  const { trouble } = request.query
  return exportTable(hr.people(), isTrouble(trouble) ? trouble : hr.trouble())
}

const attachmentOf = (hr: HrSystem, ending: string) => `attachment; filename="${hr.company.slug}-employees-day-${hr.day()}.${ending}"`

const sendCsv = async (hr: HrSystem, request: Request, response: Response) => {
  const { encoding = 'utf-8', delimiter = 'comma' } = request.query
  if (!isEncoding(encoding)) return void badRequest(response, 'encoding', ENCODINGS)
  if (!isDelimiter(delimiter)) return void badRequest(response, 'delimiter', Object.keys(DELIMITERS))
  response.set({
    'Content-Type': `text/csv; charset=${encoding.replace('-bom', '')}; header=present`,
    'Content-Disposition': attachmentOf(hr, 'csv'),
  })
  await pipeline(Readable.from(exportCsv(tableFor(hr, request), { encoding, delimiter })), response).catch((error: unknown) => {
    // A reader that goes away in the middle is no mistake of ours.
    if (!response.destroyed) throw error
  })
}

const companyRoutes = (hr: HrSystem): Router => {
  const router = Router()
  router.get('/', (_request, response) => showPage(hr, response))
  router.get('/status', (_request, response) => response.json(statusOf(hr)))
  router.post('/next-day', (request, response) => {
    hr.nextDay()
    done(hr, request, response)
  })
  router.post('/bad-day', (request, response) => {
    const kind: unknown = request.body?.kind
    if (kind !== 'none' && !isTrouble(kind)) return void badRequest(response, 'kind', [...Object.keys(TROUBLES), 'none'])
    hr.setTrouble(kind === 'none' ? null : kind)
    done(hr, request, response)
  })
  router.get('/export.csv', (request, response, next: NextFunction) => sendCsv(hr, request, response).catch(next))
  router.get('/export.xlsx', async (request, response) => {
    const workbook = await exportXlsx(tableFor(hr, request))
    response.set({ 'Content-Type': XLSX_TYPE, 'Content-Disposition': attachmentOf(hr, 'xlsx') }).send(workbook)
  })
  return router
}

export const hrRoutes = (systems: readonly HrSystem[]): Router => {
  const router = Router()
  const [first] = systems
  if (first) router.get('/', (_request, response) => showPage(first, response))
  for (const hr of systems) router.use(`/${hr.company.slug}`, companyRoutes(hr))
  return router
}
