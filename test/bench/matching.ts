import Router from '@koa/router'
import { versions } from '../../api/config/apiVersions.js'
import { Routers } from '../../api/middleware/routers.js'
import { routes } from '../routes.js'
import type { Report } from './report.js'
import { inTurns, median, timed } from './timing.js'

/** How long it takes to find the route of a request, beside one router that has all of them. */
export function matching(report: Report): void {
  const section = report.section('matching', `${routes.length} routes in ${versions.length} versions`)
  const routers = new Routers(routes)
  const flat = new Router({ sensitive: true })
  const input: [method: string, path: string][] = []
  for (const { method, path, unversioned } of routes) {
    const places = unversioned ? [path] : versions.map((version) => `/api/${version}${path}`)
    for (const place of places) {
      flat.register(place, [method], [])
      input.push([method, place.replace(/:\w+/g, 'x1')])
    }
  }
  const time = (match: (method: string, path: string) => unknown) => () =>
    timed(() => {
      for (const [method, path] of input) match(method, path)
    }) / input.length
  const times = inTurns(30, {
    ours: time((method, path) => routers.find(method as 'GET', path)),
    flat: time((method, path) => flat.match(path, method)),
  })
  const micros = (name: 'ours' | 'flat') => median(times[name]) * 1000
  section.show('one router with all routes', micros('flat'), 'µs')
  section.goal('a router for each first segment, every route once', micros('ours'), 'µs', '<=', 3)
}
