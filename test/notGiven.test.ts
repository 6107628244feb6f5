import type { TSchema } from '@sinclair/typebox'
import { expect } from 'chai'
import { versions } from '../api/config/apiVersions.js'
import type { Endpoint } from '../api/operations/endpoint.js'
import { bodySchema } from '../api/operations/endpoint.js'
import type { Field } from '../api/schema/fields.js'
import type { TestServer } from './build.js'
import { everyWrite, type Write } from './everyWrite.js'
import { routes } from './routes.js'
import { sampleServer } from './sampleServer.js'

type Values = Record<string, unknown>

/** A password is hashed, or a key made, for each request: all their fields are asked at once. */
const slow = new Set(['POST /users', 'POST /deliveryservices/sslkeys/generate', 'POST /deliveryservices/sslkeys/add'])

/** Of these the absence is the caller's own business: what is left out decides what is asked. */
const filters = new Set(['POST /servers/queue_update'])

/**
 * Typed clients send `null` for whatever they were not given, and an empty text where it is text. As the document of the
 * interface declares them, in every body of every route: when something is made that is as good as left out, and when it
 * is changed it clears what may be absent and leaves alone what may not.
 */
describe('what says nothing in a body', function () {
  this.timeout(120_000)
  let server: TestServer
  let asked = 0
  before(async () => {
    server = await sampleServer()
  })
  after(() => server.close())

  it('is as good as not given, by every route, field and version', async () => {
    const wrong: string[] = []
    const tried = new Set<string>()
    for await (const write of everyWrite(server)) {
      const route = routes.find((one) => `${one.method} ${one.path}` === write.route)
      if (route && !filters.has(write.route) && !tried.has(write.route)) {
        tried.add(write.route)
        const places = placesIn(route, write)
        if (slow.has(write.route)) wrong.push(...(await faultsOfAll(route, write, places)))
        else for (const place of places) wrong.push(...(await faultsOf(route, write, place)))
      }
      await server.request(write.route.split(' ')[0]!, write.path, write.body)
    }
    expect(wrong).to.deep.equal([])
    expect(tried.size).to.be.greaterThan(80)
  })

  /** What differs from what it should be for one field of a body. */
  async function faultsOf({ method }: Endpoint, write: Write, { name, field, within }: Place): Promise<string[]> {
    const ask = asker(method, write)
    const nothing = await ask((body) => Object.assign(within(body), { [name]: null }))
    const omitted = await ask((body) => delete within(body)[name])
    const faults: string[] = []
    const where = `${write.route} ${name}`
    if (field.minLength !== 0) {
      const empty = await ask((body) => Object.assign(within(body), { [name]: '' }))
      if (empty.text !== nothing.text) faults.push(`${where}: '' ${empty.text} but null ${nothing.text}`)
    }
    const instead = /Instead of (\w+)/.exec((field as Field).notes?.description ?? '')?.[1]
    const isSaidOtherwise = instead !== undefined && instead in within(write.body)
    const changes = method === 'PUT' || write.route.endsWith('/update')
    const mayBeAbsent = [field.type].flat().some((type) => type === 'null' || type === 'array')
    if (!changes || isSaidOtherwise || !mayBeAbsent || nothing.status !== 200) {
      const isRefused = changes && nothing.status === 400 && nothing.text.includes(name)
      // What is missing is named as the body named it.
      const otherwise = nothing.text.replaceAll(name, instead ?? name)
      if (otherwise !== omitted.text && nothing.text !== omitted.text && !isRefused)
        faults.push(`${where}: null ${nothing.text} but left out ${omitted.text}`)
    } else {
      const left = ([nothing.response].flat()[0] as Values | undefined)?.[name] ?? null
      if (left !== null && (left as []).length !== 0) faults.push(`${where}: null leaves ${JSON.stringify(left)}`)
    }
    return faults
  }

  async function faultsOfAll({ method }: Endpoint, write: Write, places: readonly Place[]): Promise<string[]> {
    const ask = asker(method, write)
    const without = await ask((body) => {
      for (const { name, within } of places) delete within(body)[name]
    })
    const told = [null, ''].map((value) =>
      ask((body) => {
        for (const { name, within } of places) within(body)[name] = value
      }),
    )
    const differing = (await Promise.all(told)).filter(({ text }) => text !== without.text)
    return differing.map(({ text }) => `${write.route}: ${text} but left out ${without.text}`)
  }

  /** Tries a write with another body, each time as another version. */
  function asker(method: string, write: Write): (change: (body: unknown) => unknown) => Promise<Told> {
    const version = versions[asked++ % versions.length]!
    const path = `${write.path.replace('/api/1.3', `/api/${version}`)}${write.path.includes('?') ? '&' : '?'}dryRun=true`
    return async (change) => {
      const body = structuredClone(write.body ?? {})
      change(body)
      const answer = await server.request(method, path, body)
      return { status: answer.status, text: toldOf(answer.text), response: answer.body.response }
    }
  }
})

interface Told {
  readonly status: number
  readonly text: string
  readonly response: unknown
}

/** Without the times and secrets that are made anew for each. */
const toldOf = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00)?/g, 'T').replace(/"ew_[\w-]+"/g, '"token"')

interface Place {
  readonly name: string
  readonly field: TSchema
  /** The object of a body that has the field. */
  readonly within: (body: unknown) => Values
}

/** Every field that a body need not have, those of objects within it, too. */
function placesIn(route: Endpoint, write: Write): Place[] {
  if (!('write' in route) && !('dryRun' in (route.query ?? {}))) return []
  const schema = bodySchema(route)
  return schema ? placesOf(schema, (body) => body as Values, write.body) : []
}

function placesOf(schema: TSchema, within: (body: unknown) => Values, body: unknown): Place[] {
  const { properties = {}, required = [] } = (
    schema.anyOf ? schema.anyOf.find(({ type }: TSchema) => (type === 'array') === Array.isArray(body)) : schema
  ) as TSchema
  const items = schema.items ?? schema.anyOf?.find(({ type }: TSchema) => type === 'array')?.items
  if (Array.isArray(body))
    return items ? placesOf(items, (whole) => (within(whole) as unknown as Values[])[0]!, body[0]) : []
  return Object.entries(properties as Record<string, TSchema>).flatMap(([name, field]) => {
    const inner = (body as Values | undefined)?.[name]
    const isObject = typeof inner === 'object' && inner !== null
    const deeper = isObject ? placesOf(field, (whole) => within(whole)[name] as Values, inner) : []
    return (required as string[]).includes(name) ? deeper : [{ name, field, within }, ...deeper]
  })
}
