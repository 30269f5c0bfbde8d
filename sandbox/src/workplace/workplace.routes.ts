/** The workplaces over HTTP: pages, SCIM, receipts, weather. Mount at `/workplace`. */
import { type Request, type Response, Router } from 'express'
import { USER_KIND } from '../scim/schemas.ts'
import { html } from '../web/html.ts'
import { type Page, sendPage } from '../web/layout.ts'
import { contentRoutes } from './content.routes.ts'
import { presentResource } from './present-resource.ts'
import { scimRoutes } from './scim.routes.ts'
import { isWeather, WEATHERS } from './weather.ts'
import type { Workplace } from './workplace.ts'
import { ACCOUNT_STATES, type AccountsQuery, accountPage, accountsPage, weatherPage } from './workplace-pages.ts'

const readQuery = (request: Request): AccountsQuery => {
  const { search, state, page } = request.query
  return {
    search: typeof search === 'string' ? search.trim() : '',
    state: ACCOUNT_STATES.find((each) => each === state) ?? 'all',
    page: typeof page === 'string' && /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  }
}

const statsOf = (workplace: Workplace) => {
  const accounts = [...workplace.directory.users.all()]
  return {
    ...workplace.receipts(),
    accounts: accounts.length,
    active: accounts.filter((account) => account.document.active !== false).length,
    groups: workplace.directory.groups.size(),
  }
}

const weatherRoutes = (workplace: Workplace, show: (response: Response, page: Pick<Page, 'title' | 'content'>) => void): Router => {
  const router = Router()
  const turn = (request: Request, response: Response): boolean => {
    const weather: unknown = request.body?.weather
    if (isWeather(weather)) workplace.setWeather(weather)
    else
      response
        .status(400)
        .type('text')
        .send(`weather must be one of ${Object.keys(WEATHERS).join(', ')}.`)
    return isWeather(weather)
  }
  router.get('/', (request, response) => {
    if (request.accepts(['html', 'json']) === 'json') response.json({ weather: workplace.weather() })
    else show(response, { title: 'Weather', content: weatherPage(workplace) })
  })
  router.put('/', (request, response) => {
    if (turn(request, response)) response.json({ weather: workplace.weather() })
  })
  router.post('/', (request, response) => {
    if (turn(request, response)) response.redirect(303, `/workplace/${workplace.company.slug}/weather`)
  })
  return router
}

const companyRoutes = (workplace: Workplace): Router => {
  const { company, directory } = workplace
  const path = `/workplace/${company.slug}`
  const show = (response: Response, page: Pick<Page, 'title' | 'content'>, status = 200) =>
    sendPage(response, { system: 'Workplace', path, ...page }, status)
  const router = Router()
  router.get('/', (request, response) =>
    show(response, { title: `Workplace of ${company.name}`, content: accountsPage(workplace, readQuery(request)) }),
  )
  router.get('/accounts/:id', (request, response) => {
    const resource = directory.users.get(request.params.id)
    if (!resource) {
      const content = html`<h1>No such account</h1><p>It may have been removed. <a href="${path}">All accounts of ${company.name}</a></p>`
      return show(response, { title: 'No such account', content }, 404)
    }
    const base = `${request.protocol}://${request.headers.host}${path}/scim/v2`
    const presented = presentResource(resource, { kind: USER_KIND, directory, base })
    show(response, { title: 'Account', content: accountPage(workplace, resource, presented) })
  })
  router.get('/stats', (_request, response) => response.json(statsOf(workplace)))
  router.use('/weather', weatherRoutes(workplace, show))
  return router
}

/** SCIM and the workplace's own interface; apart from the pages, because they take other bodies and need no page headers. */
export const workplaceInterfaces = (workplaces: readonly Workplace[]): Router => {
  const router = Router()
  for (const workplace of workplaces) {
    router.use(`/${workplace.company.slug}/scim/v2`, scimRoutes(workplace))
    router.use(`/${workplace.company.slug}/api/v1`, contentRoutes(workplace))
  }
  return router
}

export const workplacePageRoutes = (workplaces: readonly Workplace[]): Router => {
  const router = Router()
  const [first] = workplaces
  if (first) router.get('/', (_request, response) => response.redirect(`/workplace/${first.company.slug}`))
  for (const workplace of workplaces) router.use(`/${workplace.company.slug}`, companyRoutes(workplace))
  return router
}
