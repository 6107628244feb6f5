import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { expect } from 'chai'
import { exportDocument } from '../api/operations/transfer/transfer.js'
import { sampleServer } from './sampleServer.js'
import type { ServedChild } from './servedChild.js'
import { serveInChild } from './servedChild.js'

const records = 40_000
/** How many at once are taken on, as the README says. */
const most = 20
const input = 100

interface Begun {
  readonly request: ClientRequest
  /** Once its headers are there; `null` when it broke off before. */
  readonly response: Promise<IncomingMessage | null>
}

describe('an export over HTTP', () => {
  it('is the document of the command line, as text', async () => {
    const server = await sampleServer()
    try {
      const { data, catalogue } = server.service.services
      for (const ids of [false, true]) {
        const { text } = await server.get(`/api/1.3/export?ids=${ids}`)
        expect(text).to.equal(JSON.stringify(exportDocument(data, catalogue, { ids })))
      }
    } finally {
      await server.close()
    }
  })
})

describe('many exports at once', function () {
  this.timeout(300_000)
  let child: ServedChild
  let whole: string

  const begin = (path = '/api/1.3/export', cookie = child.cookie): Begun => {
    const begun = request(`${child.url}${path}`, { headers: { cookie }, agent: false })
    const response = new Promise<IncomingMessage | null>((resolve) => {
      begun.on('response', (answer) => resolve(answer.on('error', () => undefined)))
      begun.on('error', () => resolve(null))
    })
    begun.end()
    return { request: begun, response }
  }
  const beginMany = (count: number): Begun[] => Array.from({ length: count }, () => begin())
  const textOf = async (answer: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  const ended = async ({ response }: Begun): Promise<{ status: number; retryAfter?: string; text: string }> => {
    const answer = (await response)!
    const retryAfter = answer.headers['retry-after']
    return { status: answer.statusCode!, text: await textOf(answer), ...(retryAfter ? { retryAfter } : {}) }
  }
  const hangUp = (begun: readonly Begun[]): void => {
    for (const one of begun) one.request.destroy()
  }
  const gauge = async (name: string): Promise<number> => {
    const { text } = await ended(begin('/metrics'))
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1])
  }
  const resident = async (): Promise<number> => Math.round((await gauge('process_resident_memory_bytes')) / 2 ** 20)

  before(async () => {
    child = await serveInChild()
    const divisions = Array.from({ length: records }, (_, at) => ({
      name: `division ${at} ${'of some length '.repeat(16)}`,
    }))
    const answer = await fetch(`${child.url}/api/1.3/import`, {
      method: 'POST',
      headers: { cookie: child.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ divisions }),
    })
    expect(answer.status, await answer.text()).to.equal(200)
    for (let round = 0; round < 3; round++) whole = (await ended(begin())).text
  })
  after(() => child.discard())

  it('are made one at a time: what those who hang up half-way leave behind does not add up', async () => {
    const before = await resident()
    const begun = beginMany(input)
    const taken = begun.map(async ({ response }) => {
      if ((await response)?.statusCode !== 200) throw new Error('not taken on')
    })
    await Promise.any(taken)
    hangUp(begun)
    await Promise.allSettled(taken)
    const grown = (await resident()) - before
    expect(grown, `MB more than ${before}`).to.be.below(300)
  })

  it('are given up when their client is gone: nobody waits for what nobody reads', async () => {
    const cpu = async () =>
      (await gauge('process_cpu_user_seconds_total')) + (await gauge('process_cpu_system_seconds_total'))
    let alone = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4; round++) {
      const since = await cpu()
      expect((await ended(begin())).text === whole).to.equal(true)
      alone = Math.min(alone, (await cpu()) - since)
    }
    const before = await cpu()
    const begun = beginMany(most)
    // Its headers are sent when its document is made; the others are still to come.
    await Promise.any(begun.map(({ response }) => response))
    hangUp(begun)
    const { status, text } = await ended(begin())
    expect([status, text === whole]).to.deep.equal([200, true])
    expect(((await cpu()) - before) / alone, 'times the work of one export').to.be.below(most / 2)
  })

  it('are taken on up to a number, and the others told to come again', async () => {
    const answers = await Promise.all(beginMany(most + 10).map(ended))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).to.equal(most)
    for (const { text } of good) expect(text === whole).to.equal(true)
    for (const { status, retryAfter, text } of answers.filter((one) => !good.includes(one))) {
      expect(status, text).to.equal(503)
      expect(retryAfter).to.match(/^\d+$/)
    }
    expect((await ended(begin())).status).to.equal(200)
  })

  it('lets a client that takes nothing hold nobody up', async () => {
    const stalled = begin()
    const answer = (await stalled.response)!
    answer.pause()
    expect(await ended(begin())).to.deep.equal({ status: 200, text: whole })
    hangUp([stalled])
  })

  it('end for a client that is logged out while it takes one slowly', async () => {
    const login = await fetch(`${child.url}/api/1.3/user/login`, {
      method: 'POST',
      body: JSON.stringify({ u: 'admin', p: 'a-Password-of-tests' }),
    })
    const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!
    const slow = begin('/api/1.3/export', cookie)
    const answer = (await slow.response)!
    answer.pause()
    const out = await fetch(`${child.url}/api/1.3/user/logout`, { method: 'POST', headers: { cookie } })
    expect(out.status).to.equal(200)
    const taken = await textOf(answer).catch((error: NodeJS.ErrnoException) => error.code)
    expect(taken === whole ? 'all of it' : taken).to.equal('ECONNRESET')
  })
})
