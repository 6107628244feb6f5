import { expect } from 'chai'
import type { Client, TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'

/** Checks and statistics are anybody's to write, unless the installation narrows it. */
describe('who writes checks', () => {
  let server: TestServer
  const clients = new Map<string, Client>()
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
    for (const role of ['read-only', 'portal', 'operations', 'admin']) {
      for (const tenant of ['root', 'media-house'])
        clients.set(`${role} of ${tenant}`, await server.as(role, { tenant }))
    }
    clients.set('extension', await server.as('operations', { username: 'extension' }))
  })
  after(() => server.close())

  let count = 0
  const narrow = async (value: string) => {
    const global = (await server.ok('GET', '/api/1.3/profiles?name=GLOBAL')).body.response[0].id
    const [known] = (await server.ok('GET', '/api/1.3/parameters?name=checks.writers')).body.response
    const parameter = { name: 'checks.writers', configFile: 'global', value, secure: 0 }
    if (known) await server.ok('PUT', `/api/1.3/parameters/${known.id}`, { value })
    else await server.ok('POST', `/api/1.3/profiles/${global}/parameters`, parameter)
  }
  const extension = { version: '1', info_url: '-', script_file: 'x', isactive: '1', additional_config_json: '{}' }
  /** Installs a check, reports by it, takes it away, and adds a statistic: those routes that a client may call. */
  const written = async (client: Client): Promise<number[]> => {
    const name = `C${count++}`
    const check = { ...extension, name, servercheck_short_name: name, type: 'CHECK_EXTENSION_BOOL' }
    const installed = await client.request('POST', '/api/1.1/to_extensions', check)
    const own = installed.body.supplemental?.id ?? 0
    const result = { host_name: 'edge-nyc-01', servercheck_short_name: own === 0 ? 'ILO' : name, value: 1 }
    const stat = { cdnName: 'stream', statName: name, statValue: 1, statDate: '2035-01-01' }
    const others = [
      await client.request('POST', '/api/1.1/servercheck', result),
      await client.request('POST', `/api/1.1/to_extensions/${own || 1}/delete`, {}),
      await client.request('POST', '/api/1.2/stats_summary/create', stat),
    ]
    for (const { status, text } of others) if (status === 403) expect(text).to.contain('checks.writers')
    return [installed, ...others].map(({ status }) => status)
  }
  const writers = async (): Promise<string[]> => {
    const found: string[] = []
    for (const [name, client] of clients) {
      const statuses = await written(client)
      expect(new Set(statuses).size, `${name}: all or none: ${statuses}`).to.equal(1)
      expect(statuses[0], name).to.be.oneOf([200, 403])
      if (statuses[0] === 200) found.push(name)
    }
    return found
  }

  it('is any user, by default and by that word', async () => {
    expect(await writers()).to.deep.equal([...clients.keys()])
    await narrow('any')
    expect(await writers()).to.deep.equal([...clients.keys()])
  }).timeout(30_000)

  it('is the user extension, and who runs the installation', async () => {
    await narrow('extension')
    expect(await writers()).to.deep.equal(['admin of root', 'extension'])
    await narrow('a word that is none')
    expect(await writers()).to.deep.equal(['admin of root', 'extension'])
  })

  it('is not whoever calls themselves extension', async () => {
    await narrow('extension')
    const own = clients.get('extension')!
    await own.ok('PUT', '/api/1.3/user/current', { user: { username: 'was-extension' } })
    const impostor = clients.get('portal of root')!
    await impostor.ok('PUT', '/api/1.3/user/current', { user: { username: 'extension' } })
    expect(await writers()).to.deep.equal(['admin of root'])
    await impostor.ok('PUT', '/api/1.3/user/current', { user: { username: 'a-portal' } })
    await own.ok('PUT', '/api/1.3/user/current', { user: { username: 'extension' } })
    expect(await writers()).to.deep.equal(['admin of root', 'extension'])
  })

  it('is operators', async () => {
    await narrow('oper')
    const operators = [...clients.keys()].filter((name) => /^(operations|admin|extension)/.test(name))
    expect(await writers()).to.deep.equal(operators)
  })

  it('is nothing that those who are kept out can widen again', async () => {
    await narrow('extension')
    const [known] = (await server.ok('GET', '/api/1.3/parameters?name=checks.writers')).body.response
    for (const name of ['operations of media-house', 'admin of media-house']) {
      const { status } = await clients.get(name)!.request('PUT', `/api/1.3/parameters/${known.id}`, { value: 'any' })
      expect(status, name).to.equal(403)
    }
  })
})
