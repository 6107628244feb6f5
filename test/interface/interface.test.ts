import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { versions } from '../../api/config/apiVersions.js'
import { levels } from '../../api/schema/privileges.js'
import type { Answered, Client, TestServer } from '../build.js'
import { undocumented } from '../documented.js'
import { sampleServer } from '../sampleServer.js'
import { asRequest, requestOf, send, shapeFor } from './ask.js'
import type { Line } from './line.js'
import { lines } from './lines.js'
import { rows } from './rows.js'
import { misshapen } from './shape.js'
import type { World } from './world.js'
import { createWorld, prepare } from './world.js'

/** Roles below that of some rows, by privilege level. */
const below = { 'read-only': 10, portal: 15, operations: 20 } as const

/** What is fetched from monitors or from the journal, or must not be kept: no function of the records alone. */
const unkept = new Set([
  'GET /cdns/:name/health',
  'GET /cdns/capacity',
  'GET /cdns/health',
  'GET /cdns/name/:name/dnsseckeys',
  'GET /cdns/name/:name/sslkeys',
  'GET /cdns/routing',
  'GET /cdns/usage/overview',
  'GET /deliveryservices/:id/capacity',
  'GET /deliveryservices/:id/health',
  'GET /deliveryservices/:id/routing',
  'GET /deliveryservices/:id/state',
  'GET /logs',
  'GET /logs/:days/days',
  'GET /logs/newcount',
])

/** Every row of the interface, under every version, over HTTP. The table is in `lines/`; what it is held to is here. */
/** Of these every field may be left out, although the record has it. */
const takesPart = new Set(['PUT /parameters/:id', 'PUT /user/current'])

describe('the interface', () => {
  let server: TestServer
  let world: World
  const callers = new Map<number, Client>()

  before(async () => {
    server = await sampleServer()
    world = createWorld(server)
    await prepare(world)
    for (const [role, level] of Object.entries(below)) callers.set(level, await server.as(role))
  })
  after(() => server.close())

  it('has a line for every row, and a row for every line', () => {
    expect(rows).to.have.length(139)
    const named = new Set(rows.map(lineOf))
    expect([...named].filter((row) => !lines.some((line) => line.row === row))).to.deep.equal([])
    expect(lines.map(({ row }) => row).filter((row) => !named.has(row))).to.deep.equal([])
    expect(new Set(lines.map(({ row }) => row)).size).to.equal(lines.length)
  })

  for (const line of lines) {
    describe(line.row, () => {
      for (const version of versions) {
        it(`answers in the shape of ${version}`, async () => {
          const request = await requestOf(line, version, world)
          const answer = await send(server, request)
          expect(answer.status, answer.text.slice(0, 300)).to.equal(line.status ?? 200)
          if (line.text) expect(answer.headers.get('content-type')).to.match(new RegExp(`^${line.text}`))
          const shape = shapeFor(line, version)
          if (shape) expect(misshapen(line.bare ? answer.body : answer.body.response, shape, version)).to.deep.equal([])
          if (version === '1.3' && answer.status === 200) {
            const { method, path } = request
            expect(undocumented(method, path, answer.body), 'not as the OpenAPI document says').to.deep.equal([])
          }
          if (!line.row.startsWith('GET')) expect(answer.body.alerts?.[0]?.level ?? 'success').to.equal('success')
        })
      }

      it('is for nobody without a session', async () => {
        for (const version of versions)
          refused(await send(server.anonymous, await requestOf(line, version, world)), 401)
      })

      const lower = Object.values(below).filter((level) => level < levels[line.role])
      if (lower.length > 0) {
        it(`is for ${line.role} and above`, async () => {
          const request = await requestOf(line, '1.2', world)
          for (const level of lower) refused(await send(callers.get(level)!, request), 403)
        })
      }

      if (line.row.includes(':')) {
        it('does not find what is not there', async () => {
          const { params = [], ...rest } = await line.fill!(world)
          for (const [at] of params.entries()) {
            if (line.free?.includes(at)) continue
            const strange = params.map((param, index) => (index === at ? 9_999_999 : param))
            for (const version of versions) {
              refused(await send(server, asRequest(line, version, { ...rest, params: strange })), 404)
            }
          }
        })
      }

      if (line.invalid) {
        it('says what is wrong with each field', async () => {
          const { body, ...filled } = await line.fill!(world)
          for (const [field, values] of Object.entries(line.invalid!)) {
            for (const value of values) {
              // Where a field may be left out, null leaves it out.
              if (value === null && takesPart.has(line.row)) continue
              const request = asRequest(line, '1.2', { ...filled, body: withFields(line, body, { [field]: value }) })
              const answer = await send(server, request)
              const said = `${field} ${JSON.stringify(value)?.slice(0, 60)}: ${answer.text.slice(0, 300)}`
              expect(answer.status, said).to.be.oneOf([400, 404])
              expect(answer.body.alerts, said).to.have.length(1)
              expect(answer.body.alerts[0].level).to.equal('error')
              expect(answer.body.alerts[0].text, said).to.match(line.toldAs?.[field] ?? new RegExp(field))
            }
          }
        })

        it('says everything that is wrong at once', async () => {
          const { body, ...filled } = await line.fill!(world)
          const wrong = Object.fromEntries(
            Object.entries(line.invalid!).map(([field, values]) => [field, values.find((value) => value !== null)]),
          )
          for (const version of versions) {
            const request = asRequest(line, version, { ...filled, body: withFields(line, body, wrong) })
            const answer = await send(server, request)
            refused(answer, answer.status === 404 ? 404 : 400)
            expect(answer.body.alerts, answer.text.slice(0, 500)).to.have.length(
              line.atOnce ?? Object.keys(wrong).length,
            )
          }
        })

        it('takes no body that is none', async () => {
          const { body: _, ...filled } = await line.fill!(world)
          for (const body of ['null', '5', '"text"', '[[]]', '{', '\u0000', '[1,"x",null]']) {
            const answer = await send(server, asRequest(line, '1.2', { ...filled, body }))
            refused(answer, 400)
          }
        })
      }

      if (line.row.startsWith('GET') && !line.row.endsWith('/delete') && line.status === undefined) readProofs(line)
      if (/^(PUT|DELETE)/.test(line.row)) {
        it('keeps what was changed since it was read', async () => {
          const request = await requestOf(line, '1.3', world)
          refused(await send(server, request, { 'if-match': '"of-another-state"' }), 412)
          const tag = (await send(server, { ...request, method: 'GET', body: undefined })).headers.get('etag')
          const answer = await send(server, request, tag ? { 'if-match': tag } : {})
          expect(answer.status, answer.text.slice(0, 300)).to.equal(200)
        })
      }
    })
  }

  function readProofs(line: Line): void {
    it('has the same answer with .json, by HEAD and from memory', async () => {
      for (const version of versions) {
        const request = await requestOf(line, version, world)
        const first = await send(server, request)
        const again = await send(server, request)
        sameAnswer(again, first)
        const isFile = line.text !== undefined
        if (!isFile) {
          const suffixed = await send(server, { ...request, path: `${request.path}.json` })
          expect(suffixed.text).to.equal(first.text)
        }
        const head = await send(server, { ...request, method: 'HEAD' })
        expect(head.status).to.equal(first.status)
        expect(head.text).to.equal('')
        expect(settled(head)).to.deep.equal(settled(first))
      }
    })

    it('has the same bytes and headers by way of Koa', async () => {
      const koa = await listening(createServer(server.service.answer))
      try {
        const request = await requestOf(line, '1.2', world)
        for (const encoding of ['identity', 'gzip', 'br']) {
          const fast = await send(server, request, { 'accept-encoding': encoding })
          const lane = await send(server, request, { 'accept-encoding': encoding })
          const { port } = koa.address() as AddressInfo
          const slow = await fetch(`http://127.0.0.1:${port}${request.path}${request.query}`, {
            headers: { cookie: server.cookie(), 'accept-encoding': encoding },
          })
          const answered = { status: slow.status, headers: slow.headers, text: await slow.text() }
          sameAnswer(lane, fast)
          sameAnswer(answered, lane)
        }
      } finally {
        koa.close()
        koa.closeAllConnections()
      }
    })

    it('answers 304 to who has it', async () => {
      const request = await requestOf(line, '1.3', world)
      const first = await send(server, request)
      const tag = first.headers.get('etag')
      if (tag === null) return expect(unkept.has(line.row), 'has no ETag').to.equal(true)
      const again = await send(server, request, { 'if-none-match': tag })
      expect(again.status).to.equal(304)
      expect(again.text).to.equal('')
      expect(again.headers.get('etag')).to.equal(tag)
    })
  }
})

/** The table's name of a row: without version, suffix and braces. */
function lineOf(row: string): string {
  return row
    .replace(/\/api\/1\.\d/, '')
    .replace(/\.json$/, '')
    .replace(/\{(:\w+)\}/g, '$1')
}

function refused(answer: Answered, status: number): void {
  expect(answer.status, answer.text.slice(0, 300)).to.equal(status)
  expect(answer.body.alerts, answer.text).to.have.length.greaterThan(0)
  for (const { level, text } of answer.body.alerts) {
    expect(level).to.equal('error')
    expect(text).to.be.a('string').and.not.equal('')
  }
}

function withFields({ wrap }: Line, body: unknown, fields: object): unknown {
  const changed = { ...(body as object), ...fields }
  return wrap ? wrap(changed) : changed
}

type Compared = Pick<Answered, 'status' | 'headers' | 'text'>

function sameAnswer(one: Compared, other: Compared): void {
  expect(one.status).to.equal(other.status)
  expect(settled(one)).to.deep.equal(settled(other))
  expect(one.text === other.text, 'the bodies differ').to.equal(true)
}

/** Headers but for those of the connection, of the moment and of one request. */
function settled({ headers }: Compared): Record<string, string> {
  const passing = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'set-cookie', 'age', 'x-request-id']
  return Object.fromEntries([...headers].filter(([name]) => !passing.includes(name)))
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
