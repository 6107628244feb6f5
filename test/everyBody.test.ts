import { expect } from 'chai'
import { versions } from '../api/config/apiVersions.js'
import type { Endpoint } from '../api/operations/endpoint.js'
import { requiredFor } from '../api/records/kinds/deliveryServiceRules.js'
import type { Field } from '../api/schema/fields.js'
import type { Place } from './bodyPlaces.js'
import { insteadOf, placesIn } from './bodyPlaces.js'
import type { TestServer } from './build.js'
import { everyWrite, type Write } from './everyWrite.js'
import { routes } from './routes.js'
import { sampleServer } from './sampleServer.js'

type Values = Record<string, unknown>

/** A password is hashed, or a key made, for each request: what may be left out is asked all at once. */
const slow = new Set(['POST /users', 'POST /deliveryservices/sslkeys/generate', 'POST /deliveryservices/sslkeys/add'])

/** Of these the absence is the caller's own business: what is left out decides what is asked. */
const filters = new Set(['POST /servers/queue_update'])

/** What is sent is kept byte for byte, or read as a document of its own. */
const documents = /urisignkeys|^POST \/import/

/** One walk through every write there is; with each body all is tried that must hold of every body. */
describe('every body of every write', function () {
  this.timeout(120_000)
  let server: TestServer
  let asked = 0
  const wrong = { nothing: [] as string[], unnamed: [] as string[], silent: [] as string[] }
  const tried = new Set<string>()

  before(async () => {
    server = await sampleServer()
    for await (const write of everyWrite(server)) {
      const route = routes.find((one) => `${one.method} ${one.path}` === write.route)
      if (route && !tried.has(write.route)) await tryAll(route, write)
      await server.request(write.route.split(' ')[0]!, write.path, write.body)
    }
  })
  after(() => server.close())

  /**
   * Typed clients send `null` for whatever they were not given, and an empty text where it is text: when something is
   * made that is as good as left out, and when it is changed it clears what may be absent and leaves alone what may not.
   */
  it('takes what says nothing for not given, in every version', () => {
    expect(wrong.nothing).to.deep.equal([])
    expect(tried.size).to.be.greaterThan(80)
  })

  it('is refused with the name of what is wrong, as it was sent', () => expect(wrong.unnamed).to.deep.equal([]))

  it('is answered with the names of what nothing reads', () => expect(wrong.silent).to.deep.equal([]))

  async function tryAll(route: Endpoint, write: Write): Promise<void> {
    tried.add(write.route)
    const places = placesIn(route, write)
    const optional = places.filter(({ isOptional }) => isOptional)
    if (slow.has(write.route)) wrong.nothing.push(...(await faultsOfAll(write, optional)))
    else if (!filters.has(write.route))
      for (const place of optional) wrong.nothing.push(...(await faultsOf(write, place)))
    for (const place of places) wrong.unnamed.push(...(await unnamed(write, place)))
    if (places.length > 0 && !documents.test(write.route)) wrong.silent.push(...(await silent(write)))
  }

  /** What differs from what it should be for one field of a body that says nothing. */
  async function faultsOf(write: Write, { name, field, within }: Place): Promise<string[]> {
    const ask = asker(write)
    const nothing = await ask((body) => Object.assign(within(body), { [name]: null }))
    const omitted = await ask((body) => delete within(body)[name])
    const faults: string[] = []
    const where = `${write.route} ${name}`
    if (field.minLength !== 0) {
      const empty = await ask((body) => Object.assign(within(body), { [name]: '' }))
      const isRefused = write.route.startsWith('P') && empty.status === 400 && empty.text.includes(name)
      if (empty.text !== nothing.text && !isRefused) faults.push(`${where}: '' ${empty.text} but null ${nothing.text}`)
    }
    if (field.minimum > 0 && [field.type].flat().includes('null')) {
      const zero = await ask((body) => Object.assign(within(body), { [name]: 0 }))
      if (zero.text !== nothing.text) faults.push(`${where}: 0 ${zero.text} but null ${nothing.text}`)
    }
    const instead = insteadOf(field)
    const isSaidOtherwise = instead !== undefined && instead in within(write.body)
    const changes = /^(PUT|PATCH) |\/update$/.test(write.route)
    // What a delivery service's type must say is never absent.
    const mustBe = write.route === 'PUT /deliveryservices/:id' && requiredFor('HTTP').some((needed) => needed === name)
    const mayBeAbsent = !mustBe && [field.type].flat().some((type) => type === 'null' || type === 'array')
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

  async function faultsOfAll(write: Write, places: readonly Place[]): Promise<string[]> {
    const ask = asker(write)
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

  /** A value that no field takes, and a record that is not there, under one of the names of a field and no other. */
  async function unnamed(write: Write, { name, field, within, others }: Place): Promise<string[]> {
    const isObject = field.type === 'object'
    const isName = /by name\.$/.test((field as Field).notes?.description ?? '')
    const strange: unknown[] = [isObject ? 'wrong' : { wrong: true }]
    if ((field as Field).notes?.ref || isName) {
      const one = isName ? 'no-such-record' : 999_999_999
      strange.push([field.type].flat().includes('array') ? [one] : one)
    }
    const faults: string[] = []
    for (const value of strange) {
      const { status, text } = await asker(write)((body) => {
        for (const other of others) delete within(body)[other]
        Object.assign(within(body), { [name]: value })
      })
      const isNamed = [400, 404].includes(status) && new RegExp(`\\b${name}\\b`).test(text.replace(/no-such-\w+/g, ''))
      if (!isNamed) faults.push(`${write.route} ${name}: ${JSON.stringify(value)}: ${status} ${text.slice(0, 200)}`)
    }
    return faults
  }

  async function silent(write: Write): Promise<string[]> {
    const { headers, status, text } = await asker(
      write,
      '&fitler=1',
    )((body) => {
      Object.assign(([body].flat()[0] ?? {}) as Values, { colour: 'blue' })
    })
    const said = headers.get('x-edgewright-ignored')
    const faults = said === 'colour, ?fitler' ? [] : [`${write.route}: ${said}`]
    const isTried = status === 200 && text.includes('Dry run')
    if (isTried && !text.includes('Nothing reads colour, ?fitler.'))
      faults.push(`${write.route}: ${text.slice(0, 100)}`)
    return faults
  }

  /** Tries a write with another body, each time as another version. */
  function asker(write: Write, query = '') {
    const version = versions[asked++ % versions.length]!
    const path = write.path.replace('/api/1.3', `/api/${version}`)
    const [method] = write.route.split(' ')
    return async (change: (body: unknown) => unknown) => {
      const body = structuredClone(write.body ?? {})
      change(body)
      const url = `${path}${path.includes('?') ? '&' : '?'}dryRun=true${query}`
      const answer = await server.request(method!, url, body)
      return { ...answer, text: toldOf(answer.text), response: answer.body.response }
    }
  }
})

/** Without the times and secrets that are made anew for each. */
const toldOf = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00)?/g, 'T').replace(/"ew_[\w-]+"/g, '"token"')
