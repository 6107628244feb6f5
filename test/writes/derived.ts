import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../../api/operations/endpoint.js'
import { bodySchema } from '../../api/operations/endpoint.js'
import { resources } from '../../api/routes/resources.js'
import type { Field } from '../../api/schema/fields.js'
import { routes } from '../routes.js'
import type { Finder, Line } from './finder.js'
import { valueFor } from './values.js'

/** They change no record: sessions, questions that are asked by POST, mail, what is not built, and what brings another log. */
export const changeNothing =
  /^POST \/(user\/(logout|reset_password)|(user\/)?login|parameters\/validate|isos|restore$|deliveryservices\/request$)|deliveryservice_request/

/** Making before changing before removing. */
const order = ['POST', 'PUT', 'DELETE']

/**
 * Writes by the routes that nobody wrote a line for, worked out of what they declare: a body with what is required, and
 * the newest record of the list that the path begins with. What needs more than that gets a line in this folder.
 */
export function derived({ find }: Finder, written: ReadonlySet<string>): readonly Line[] {
  const missing = routes.filter((route) => isPlain(route) && !written.has(called(route)))
  return missing
    .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    .map((route): Line => [called(route), () => askFor(route)])

  async function askFor(route: Endpoint): Promise<readonly [path: string, body?: unknown]> {
    const path = await pathOf(route)
    const { properties = {}, required = [] } = bodySchema(route) ?? ({} as TSchema)
    const body: Record<string, unknown> = {}
    for (const name of [...(required as string[]), ...referred(properties as Record<string, Field>)]) {
      try {
        body[name] = await valueFor(properties[name] as Field, route.method === 'PUT' ? 1 : 0, newest)
      } catch (error) {
        throw new Error(
          `${called(route)}: ${name}: ${(error as Error).message}, or a line for the route to test/writes/`,
        )
      }
    }
    return route.method === 'DELETE' ? [path] : [path, body]
  }

  async function pathOf({ method, path, query = {} }: Endpoint): Promise<string> {
    const list = `/${path.split('/')[1]}`
    if (path.includes(':')) return path.replace(/:\w+/, String((await find(list)).id))
    return method !== 'POST' && 'id' in query ? `${path}?id=${(await find(list)).id}` : path
  }

  /** The newest record of a kind, by the list that shows it. */
  async function newest(kind: string): Promise<number> {
    const resource = resources.find((one) => one.kind === kind)
    const list = resource?.routes
      .map((route) => route(resource))
      .find(({ method, path }) => method === 'GET' && !path.includes(':'))
    if (!list) throw new Error(`no list shows ${kind}`)
    return (await find(list.path)).id
  }
}

/** Ids that must be there, or names in their stead. */
const referred = (properties: Readonly<Record<string, Field>>): string[] =>
  Object.entries(properties).flatMap(([name, { notes }]) => (notes?.ref && !('default' in notes) ? [name] : []))

const called = ({ method, path }: Endpoint): string => `${method} ${path}`

/** What can be worked out: a write of one record, named by one parameter or by `id`. */
const isPlain = (route: Endpoint): boolean =>
  'write' in route &&
  !changeNothing.test(called(route)) &&
  order.includes(route.method) &&
  (route.path.match(/:/g) ?? []).length <= 1
