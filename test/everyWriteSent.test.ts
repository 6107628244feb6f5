import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkRestorable } from '../api/operations/backup/checkRestorable.js'
import { bodySchema } from '../api/operations/endpoint.js'
import type { Client, TestServer } from './build.js'
import type { Write } from './everyWrite.js'
import { everyWrite } from './everyWrite.js'
import { routes } from './routes.js'
import { sampleServer } from './sampleServer.js'

/** What the field's programs call their JSON: curl, browsers' portals, Perl, and those that call it nothing. */
const types = ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/xml', '']

const takesBody = new Map(routes.map((route) => [`${route.method} ${route.path}`, bodySchema(route) !== null]))
/** The routes that change one record. */
const records = new Set(routes.flatMap((route) => ('subject' in route ? [`${route.method} ${route.path}`] : [])))

describe('every write, as the programs of the field send it', function () {
  this.timeout(60_000)
  let server: TestServer
  let other: Client
  before(async () => {
    server = await sampleServer()
    other = await server.as('admin', { username: 'another' })
  })
  after(() => server.close())

  let at = 0
  /** A write under a type of its own; what the route does not take is sent along, too, and not looked at. */
  const send = async ({ route, path, body }: Write, client: Client, more: Record<string, string> = {}) => {
    const type = types[at++ % types.length]!
    const sent = takesBody.get(route) ? JSON.stringify(body ?? {}) : '{"id":1,"name":'
    const headers = { cookie: client.cookie(), ...(type === '' ? {} : { 'content-type': type }), ...more }
    const method = route.split(' ')[0]!
    const bytes = type === '' ? new TextEncoder().encode(sent) : sent
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: bytes }),
    })
    return {
      status: answer.status,
      told: `${route} as '${type}': ${answer.status} ${(await answer.text()).slice(0, 150)}`,
    }
  }

  /** The ETags by which a record is known before it is changed: of itself, and of a list that was asked for it alone. */
  const etagsOf = async ({ route, path }: Write): Promise<string[]> => {
    if (!route.startsWith('PUT')) return []
    const list = /^(.*)\/(\d+)$/.exec(route.replace(/^PUT (.*)\/:\w+$/, path))
    const isAskedById = routes.some(
      (one) => `/api/1.3${one.path}` === list?.[1] && one.method === 'GET' && 'id' in (one.query ?? {}),
    )
    const addresses = [path, ...(isAskedById ? [`${list![1]}?id=${list![2]}`] : [])]
    const answers = await Promise.all(addresses.map((address) => server.get(address)))
    return answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('etag'))
      .filter((tag) => tag !== null)
  }

  /** Another user changes a field of what was written; whether there is one that they can. */
  const changedByAnother = async (write: Write, known: readonly string[]): Promise<boolean> => {
    for (const [name, value] of Object.entries((write.body ?? {}) as Record<string, unknown>).reverse()) {
      // What is queued for a server is no part of its record.
      if ((typeof value !== 'string' && typeof value !== 'boolean') || name.endsWith('Pending')) continue
      const body = { ...(write.body as object), [name]: typeof value === 'string' ? `${value}2` : !value }
      if ((await send({ ...write, body }, other)).status !== 200) continue
      if (!(await etagsOf(write)).some((tag) => known.includes(tag))) return true
    }
    return false
  }

  it('is taken whatever its body is called, and twice from a form that was opened once', async () => {
    const wrong: string[] = []
    let guarded = 0
    const must = async (status: number, answer: ReturnType<typeof send>) => {
      const { status: got, told } = await answer
      if (got !== status) wrong.push(`${told}, not ${status}`)
    }
    for await (const write of everyWrite(server)) {
      const first = await etagsOf(write)
      if (first.length === 0) await must(200, send(write, server))
      for (const tag of first) {
        await must(200, send(write, server, { 'if-match': tag }))
        await must(200, send(write, server, { 'if-match': tag }))
      }
      const own = await etagsOf(write)
      // What is no record of its own is what its answer says, and a write that leaves it so takes nothing away.
      if (!records.has(write.route) || own.every((tag) => first.includes(tag))) continue
      if (!(await changedByAnother(write, [...first, ...own]))) continue
      guarded += 1
      for (const tag of first) await must(412, send(write, server, { 'if-match': tag }))
      await must(200, send(write, server))
    }
    expect(wrong).to.deep.equal([])
    expect(guarded).to.be.greaterThan(20)
  })

  it('leaves behind what a restore takes', async () => {
    const file = join(server.dataDir, 'after-every-write.backup')
    writeFileSync(file, (await server.ok('GET', '/api/1.3/backup')).text)
    await checkRestorable(file)
  })

  it('is not looked back at across all that others wrote: that would hold everybody up', async () => {
    const path = '/api/1.3/user/current'
    const opened = (await other.get(path)).headers.get('etag')!
    const save = async (city: string) =>
      (await other.request('PUT', path, { user: { city } }, { 'if-match': opened })).status
    const names = Array.from({ length: 400 }, (_, at) => ({ name: `of many ${at}`, configFile: 'many.config' }))
    const manyWritten = (value: string) =>
      server.ok('POST', '/api/1.3/import', { parameters: names.map((name) => ({ ...name, value })) })
    expect(await save('Leeds')).to.equal(200)
    await manyWritten('1')
    expect(await save('York')).to.equal(200)
    for (const value of ['2', '3']) await manyWritten(value)
    expect(await save('Hull')).to.equal(412)
  })
})
