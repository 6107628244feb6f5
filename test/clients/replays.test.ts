import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'
import type { Step } from './replays.js'
import { replays } from './replays.js'

const at = (body: unknown, place: string): unknown =>
  place === ''
    ? body
    : place.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], body)

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)

describe('what the programs of the field send, one after the other', function () {
  this.timeout(60_000)
  let server: TestServer
  before(async () => {
    server = await sampleServer()
    await server.ok('PUT', '/api/1.3/snapshot/stream?force=true')
  })
  after(() => server.close())

  for (const [program, steps] of Object.entries(replays)) {
    it(`is answered as it reads it: ${program}`, async () => {
      const kept = new Map<string, unknown>([
        ['user', server.admin.username],
        ['password', server.admin.password],
      ])
      const filled = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => String(kept.get(name)))
      let cookie = ''
      for (const step of steps) {
        const [method = '', path = ''] = filled(step.send).split(' ')
        const headers = {
          ...(step.type ? { 'content-type': step.type } : {}),
          ...(cookie ? { cookie } : {}),
          ...Object.fromEntries(Object.entries(step.headers ?? {}).map(([name, value]) => [name, filled(value)])),
        }
        const body = bodyOf(step, kept)
        const answer = await fetch(`${server.url}${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: filled(body) }),
        })
        const text = await answer.text()
        const what = `${step.send}: ${answer.status} ${text.slice(0, 300)}`
        expect(answer.status, what).to.equal(200)
        if (step.has) expect(alertsIn(text), what).to.contain(step.has)
        cookie =
          answer.headers
            .getSetCookie()
            .find((one) => one.startsWith('mojolicious='))
            ?.split(';')[0] ?? cookie
        const parsed: unknown = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text
        for (const [place, type] of Object.entries(step.reads ?? {}))
          expect(typeOf(at(parsed, place)), `${place} of ${what}`).to.equal(type)
        for (const [name, place] of Object.entries(step.keep ?? {}))
          kept.set(name, place === 'etag' ? answer.headers.get('etag') : at(parsed, place))
      }
    })
  }
})

function bodyOf({ body, record }: Step, kept: ReadonlyMap<string, unknown>): string | undefined {
  if (record) return JSON.stringify({ ...(kept.get(record[0]) as object), ...record[1] })
  return typeof body === 'object' ? JSON.stringify(body) : body
}

/** Alerts with their keys in one order. */
const alertsIn = (text: string): string =>
  JSON.stringify(
    ((JSON.parse(text) as { alerts?: { text: string; level: string }[] }).alerts ?? []).map(
      ({ text: said, level }) => ({ text: said, level }),
    ),
  )
