/** Requests made up from the OpenAPI document: some nearly right, some hostile, the same for the same chance. */

export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  /** JSON Schema of the body; `undefined` when the document has none. */
  readonly body: Schema | undefined
  /** The statuses it may answer. */
  readonly statuses: readonly number[]
}

export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

export interface FuzzRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Chance = () => number

interface Document {
  readonly paths: Record<string, Record<string, unknown>>
}

/** Every operation of the document but the streams, which do not end, and the end of the session that asks. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => !/\/(watch|user\/logout)$/.test(path))
      .map(([method, operation]) => {
        const { parameters, requestBody, responses } = whole(operation, document) as {
          parameters: Operation['parameters']
          requestBody?: { content: Record<string, { schema: Schema }> }
          responses: Record<string, unknown>
        }
        const body = requestBody?.content['application/json']?.schema
        return { method: method.toUpperCase(), path, parameters, body, statuses: Object.keys(responses).map(Number) }
      }),
  )
}

/** A part of the document with what it refers to in place. */
function whole(part: unknown, document: object): unknown {
  if (Array.isArray(part)) return part.map((one) => whole(one, document))
  if (typeof part !== 'object' || part === null) return part
  if (!('$ref' in part))
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, whole(one, document)]))
  const names = String(part.$ref).slice('#/'.length).split('/')
  return whole(
    names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document),
    document,
  )
}

export function makeRequest({ method, path, parameters, body }: Operation, chance: Chance): FuzzRequest {
  const filled = path.replace(/\{\w+\}/g, () => pathValue(chance))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.name !== 'wait' && chance() < 0.4)
    .map(({ name }) => `${name}=${pathValue(chance)}`)
  const version = pick(['1.1', '1.2', '1.3'], chance)
  const url = `${filled.replace('/api/1.3', `/api/${version}`)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const match = chance() < 0.1 ? { 'if-match': pick(['"x"', '*', '', '"'], chance) } : {}
  if (method === 'GET')
    return { method, url, headers: { accept: pick(['*/*', 'text/html', ''], chance) }, body: undefined }
  const type =
    chance() < 0.95 ? 'application/json' : pick(['text/plain', 'application/xml', 'multipart/form-data', ';'], chance)
  return { method, url, headers: { 'content-type': type, ...match }, body: bodyText(body, chance) }
}

/** Values for addresses, already encoded: records of the sample, and what is none. */
const known = ['1', '2', '3', '4', '5', '6', '7', 'stream', 'vod', 'edge-chi-01', 'EDGE_ATS9', 'remap.config', 'true']
const unknown = [
  ...['0', '-1', '1.5', '9999999', '1e309', '99999999999999999999', '%00', '%zz', '%2e%2e%2fetc', '..'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'NaN',
    '%0d%0aSet-Cookie:x',
    '%F0%9F%92%A9',
    "'",
    '%22',
    'x'.repeat(2000),
  ],
]
const pathValue = (chance: Chance): string => pick(chance() < 0.7 ? known : unknown, chance)

const hostile: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  0.1,
  '',
  ' ',
  '__proto__',
  'constructor',
  'a\u0000b',
  'a\r\nb',
  '\u2028',
  '\ud800',
  '__RETURN__',
  '<script>',
  '{{> header}}',
  '(a+)+$',
  '../../etc/passwd',
  'x'.repeat(70_000),
  [],
  {},
  [[[[[]]]]],
  [null],
  { $gt: '' },
  { length: -1 },
  ['x', 1, {}],
]

function bodyText(schema: Schema | undefined, chance: Chance): string | undefined {
  const kind = chance()
  if (kind < 0.03) return undefined
  if (kind < 0.06) return pick(['{', '', 'null', '"x"', '[', '[[]]', '\u0000', 'u=admin&p=x', '{"a":1}}'], chance)
  if (kind < 0.07) return '['.repeat(20_000)
  if (kind < 0.075) return JSON.stringify({ name: 'x'.repeat(10 * 2 ** 20) })
  const value = schema ? valueFor(schema, chance, 0) : { [pick(names, chance)]: pick(hostile, chance) }
  const text = JSON.stringify(chance() < 0.1 ? [value] : value)
  // Keys that JSON.stringify cannot be made to write.
  return chance() < 0.1 ? text.replace(/^\{/, '{"__proto__":{"isAdmin":true},') : text
}

const names = [
  'id',
  'name',
  'action',
  'servers',
  'deliveryServices',
  'replace',
  'dsId',
  'user',
  'scopes',
  'ids',
  'paramIds',
]

function valueFor(schema: Schema, chance: Chance, depth: number): unknown {
  if (chance() < (depth === 0 ? 0.05 : 0.15)) return pick(hostile, chance)
  if (schema.enum) return pick(schema.enum, chance)
  if (schema.anyOf) return valueFor(pick(schema.anyOf, chance), chance, depth)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(() => chance() < 0.9)
          .map(([name, property]) => [name, valueFor(property, chance, depth + 1)]),
      )
    case 'array':
      return Array.from({ length: Math.floor(chance() * 3) }, () => valueFor(schema.items ?? {}, chance, depth + 1))
    case 'integer':
      return Math.floor(chance() * 30)
    case 'number':
      return chance() * 100 - 50
    case 'boolean':
      return chance() < 0.5
    default:
      return pick(
        ['vod', 'stream', '192.0.2.7', '2001:db8::7', '2035-01-01 00:00:00', `n-${Math.floor(chance() * 1e6)}`],
        chance,
      )
  }
}

const pick = <T>(values: readonly T[], chance: Chance): T => values[Math.floor(chance() * values.length)]!
