import type { Version } from '../../api/config/apiVersions.js'
import type { Answered, Client } from '../build.js'
import type { Filled, Line } from './line.js'
import type { Shape } from './shape.js'
import type { World } from './world.js'

/** A line's request, ready to be sent by anybody. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: unknown
}

export async function requestOf(line: Line, version: Version, world: World): Promise<Request> {
  return asRequest(line, version, (await line.fill?.(world)) ?? {})
}

export function asRequest({ row }: Line, version: Version, { params = [], query, body }: Filled): Request {
  const [method = '', template = ''] = row.split(' ')
  let at = 0
  const path = template.replace(/:\w+/g, () => String(params[at++]))
  return { method, path: `/api/${version}${path}`, query: query ? `?${query}` : '', body }
}

export function send(
  client: Client,
  { method, path, query, body }: Request,
  headers?: Record<string, string>,
): Promise<Answered> {
  return client.request(method, path + query, body, headers)
}

const shapeVersions = ['v1.1', 'v1.2', 'v1.3'] as const

/** The shape a version has: its own, or the newest older one's, or the oldest there is. */
export function shapeFor({ shape }: Line, version: Version): Shape | undefined {
  if (shape === undefined || typeof shape === 'string' || Array.isArray(shape)) return shape as Shape | undefined
  const byVersion = shape as { readonly [key: string]: Shape }
  if (!shapeVersions.some((name) => name in byVersion)) return shape as Shape
  const upTo = shapeVersions.slice(0, shapeVersions.indexOf(`v${version}`) + 1).reverse()
  return [...upTo, ...shapeVersions].map((name) => byVersion[name]).find((one) => one !== undefined)
}
