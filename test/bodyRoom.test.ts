import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { system } from '../api/schema/privileges.js'
import type { Client, TestServer } from './build.js'
import { buildServer } from './build.js'

/** Of one user, as the README says. */
const most = 32 * 2 ** 20
const each = 2 ** 20 - 100

describe('the bodies of writes that wait', function () {
  this.timeout(60_000)
  let server: TestServer
  let other: Client
  before(async () => {
    server = await buildServer()
    other = await server.as('operations')
  })
  after(() => server.close())

  const parameters = (name: string) =>
    JSON.stringify(
      Array.from({ length: 250 }, (_, at) => ({ name: `${name} ${at}`, configFile: 'a', value: 'x'.repeat(4000) })),
    ).padEnd(each)
  const write = (name: string, by: Client = server) => by.request('POST', '/api/1.3/parameters', parameters(name))

  /** Has every write wait until the work is done. */
  async function whileDecided(work: () => Promise<void>): Promise<void> {
    let isDone = false
    const long = server.service.services.committer.writeInSteps({ user: system, requestId: 'long' }, function* () {
      while (!isDone) yield
    })
    try {
      await work()
    } finally {
      isDone = true
      await long
    }
  }

  it('are so many bytes of one user at most; others write, and so does who comes again', async () => {
    let answers: ReturnType<typeof write>[] = []
    let ofOther: ReturnType<typeof write> | null = null
    await whileDecided(async () => {
      let refused = 0
      answers = Array.from({ length: 40 }, async (_, at) => {
        const answer = await write(`many ${at}`)
        if (answer.status === 503) refused += 1
        return answer
      })
      while (refused < 40 - Math.floor(most / each) - 1) await delay(20)
      ofOther = write('of another', other)
      await delay(200)
    })
    const told = await Promise.all(answers)
    const refusals = told.filter(({ status }) => status !== 200)
    expect(told.length - refusals.length).to.be.within(30, Math.ceil(most / each))
    for (const { status, headers } of refusals) {
      expect(status).to.equal(503)
      expect(headers.get('retry-after')).to.match(/^\d+$/)
    }
    expect((await ofOther!).status).to.equal(200)
    expect((await write('again')).status).to.equal(200)
  })

  it('count as they arrive, and not any more once they are given up', async () => {
    const begun: ClientRequest[] = []
    const begin = (length: number): ClientRequest => {
      const headers = { cookie: server.cookie(), 'content-type': 'application/json', 'content-length': each }
      const one = request(`${server.url}/api/1.3/parameters`, { method: 'POST', headers, agent: false })
      one.on('error', () => undefined).write('x'.repeat(length))
      begun.push(one)
      return one
    }
    // What is only announced takes no room.
    for (let at = 0; at < 40; at++) begin(1)
    await delay(300)
    expect((await write('beside what is announced')).status).to.equal(200)
    for (let at = 0; at < 32; at++) begin(each - 1)
    await delay(1000)
    const [answer] = (await once(begin(each - 1), 'response')) as [IncomingMessage]
    expect(answer.statusCode).to.equal(503)
    for (const one of begun) one.destroy()
    while ((await write('with room again')).status === 503) await delay(50)
  })
})
