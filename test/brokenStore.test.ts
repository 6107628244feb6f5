import { once } from 'node:events'
import { readFileSync, truncateSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { ServedChild } from './servedChild.js'
import { serveInChild } from './servedChild.js'
import type { SmallDisk } from './store/smallDisk.js'
import { mountSmallDisk } from './store/smallDisk.js'

interface Listed {
  readonly response: readonly { readonly name: string }[]
}

/** What `/readyz` says on a connection that stays open. */
async function readiness(url: string, agent: Agent): Promise<object> {
  const [answer] = (await once(get(`${url}/readyz`, { agent }), 'response')) as [IncomingMessage]
  return json(answer) as Promise<object>
}

describe('a store whose file fails beneath the service', function () {
  this.timeout(120_000)
  let disk: SmallDisk | null = null
  const served: ServedChild[] = []
  before(function () {
    disk = mountSmallDisk(48)
    if (!disk) this.skip()
  })
  after(async () => {
    for (const one of served) await one.discard()
    disk?.remove()
  })

  async function serve(dataDir: string) {
    const one = await serveInChild({ DATA_DIR: dataDir, SHUTDOWN_SECONDS: '1' })
    served.push(one)
    let text = ''
    one.child.stdout!.on('data', (chunk) => {
      text += chunk
    })
    const ask = (method: string, path: string, body?: unknown) =>
      fetch(`${one.url}${path}`, {
        method,
        headers: { cookie: one.cookie, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    const divisions = async (): Promise<string[]> =>
      ((await (await ask('GET', '/api/1.3/divisions')).json()) as Listed).response.map(({ name }) => name)
    return { ...one, ask, divisions, log: () => text }
  }

  it('has it say so and end, to be started anew; what it acknowledged is there, and nothing else', async () => {
    const dataDir = join(disk!.path, 'data')
    const first = await serve(dataDir)
    const acknowledged: string[] = []
    const write = async (name: string): Promise<Response> => {
      const answer = await first.ask('POST', '/api/1.3/divisions', { name })
      if (answer.ok) acknowledged.push(name)
      return answer
    }
    await write('before')
    // As where a disk takes new blocks for what is written anew: the room that was made beforehand is there no more.
    const file = join(dataDir, 'store.mdb')
    const bytes = readFileSync(file)
    let used = bytes.length
    while (bytes[used - 1] === 0) used -= 1
    truncateSync(file, Math.ceil(used / 4096) * 4096)
    disk!.fill()
    const probe = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await readiness(first.url, probe)).to.include({ status: 'ok' })
    let failing = await write('during 0')
    for (let at = 1; failing.ok && at < 200; at++) failing = await write(`during ${at}`)
    expect(failing.status, await failing.clone().text()).to.equal(503)
    expect(await readiness(first.url, probe))
      .to.include({ status: 'unavailable', ending: true })
      .and.have.property('store')
    const entry = failing.headers.get('x-edgewright-entry')
    expect(entry, await failing.text()).to.be.a('string')
    expect(await Promise.race([first.ended, delay(10_000, 'still there')])).to.equal(1)
    const fatal = first
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":60'))
    expect(fatal.map((line) => JSON.parse(line).msg)).to.deep.equal([
      'the store failed beneath the service, which ends to be started anew',
    ])

    disk!.empty()
    const second = await serve(dataDir)
    const known = await second.divisions()
    expect(known).to.include.members(acknowledged)
    expect(known).to.have.length(acknowledged.length)
    expect((await second.ask('POST', '/api/1.3/divisions', { name: 'after' })).status).to.equal(200)
  })
})
