import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import type { TestServer } from './build.js'
import { childArguments } from './childArguments.js'
import { prepareData } from './preparedData.js'
import { sampleServer } from './sampleServer.js'

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

type Document = Record<string, Record<string, unknown>[]>

describe('the command line for a running service', function () {
  this.timeout(180_000)
  let server: TestServer
  let folder: string
  let token: string
  before(async () => {
    server = await sampleServer()
    folder = mkdtempSync(join(tmpdir(), 'edgewright-cli-'))
    mkdirSync(at('store'))
    await prepareData(at('store'), 'sample')
    token = (await server.ok('POST', '/api/1.3/tokens', { description: 'cli' })).body.response.token
  })
  after(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const at = (name: string): string => join(folder, name)
  const run = (words: readonly string[], env: Record<string, string>): Promise<Ran> => {
    const own = { PATH: process.env.PATH, XDG_CONFIG_HOME: at('config'), WORKERS: '1', ...env }
    const child = spawn(process.execPath, [...childArguments('api/main'), ...words], { env: own, cwd: packageRoot })
    const ran = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      ran.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      ran.err += chunk
    })
    child.stdin.end()
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...ran })))
  }
  const onService = (...words: string[]) => run(words, { EDGEWRIGHT_URL: server.url, EDGEWRIGHT_TOKEN: token })
  const onStore = (...words: string[]) => run(words, { DATA_DIR: at('store') })
  /** Apart from what a service is called, times, and how long something took. */
  const told = ({ code, out, err }: Ran) => ({
    code,
    text: `${out}\n${err}`
      .replaceAll(server.url, 'the store')
      .replace(/[\d.]+ s, of which [\d.]+ s.*/, '')
      .replaceAll(/"lastUpdated": "[^"]*"/g, ''),
  })
  const document = (name: string, edit: (document: Document) => void): string => {
    const whole = JSON.parse(readFileSync(at('there.json'), 'utf8')) as Document
    edit(whole)
    writeFileSync(at(name), JSON.stringify(whole))
    return at(name)
  }

  it('says the same, and exits the same, as on a store', async () => {
    const edited = {
      servers: [{ hostName: 'edge-chi-01', rack: 'r9' }],
    }
    expect((await onService('export', at('there.json'))).code).to.equal(0)
    expect((await onStore('export', at('here.json'))).code).to.equal(0)
    expect(readFileSync(at('there.json'), 'utf8')).to.equal(readFileSync(at('here.json'), 'utf8'))
    writeFileSync(at('bad.json'), JSON.stringify({ ...edited, cdns: [{ name: 'x', domainNam: 'y' }] }))
    for (const words of [
      ['compile', '--cdn', 'stream', '--server', 'edge-chi-01', '--out', 'OUT'],
      ['apply', '--dry-run', '--prune', document('less.json', ({ asns }) => asns!.pop())],
      ['import', at('bad.json')],
    ]) {
      const [there, here] = await Promise.all(
        [onService, onStore].map((on) => on(...words.map((word) => (word === 'OUT' ? at(on.name) : word)))),
      )
      const where = (ran: Ran) => told({ ...ran, out: ran.out.replaceAll(at(onService.name), at(onStore.name)) })
      expect(where(there!), words.join(' ')).to.deep.equal(where(here!))
      expect(there!.code, there!.err).to.equal(words[0] === 'import' ? 1 : 0)
    }
    const files = (on: string) => readdirSync(at(on), { recursive: true }).map(String).sort()
    expect(files(onService.name)).to.deep.equal(files(onStore.name)).and.to.include('edge-chi-01/remap.config')
    const remap = (on: string) => readFileSync(at(`${on}/edge-chi-01/remap.config`), 'utf8').replace(/^#.*\n/, '')
    expect(remap(onService.name)).to.equal(remap(onStore.name))
  })

  it('shows what a document changes, changes that and nothing else, and is then done', async () => {
    const file = document('more.json', ({ servers, asns }) => {
      const server = servers!.find(({ hostName }) => hostName === 'edge-chi-01')!
      server.rack = 'r9'
      server.iloPassword = 'told-nobody'
      asns!.shift()
    })
    const unasked = await onService('apply', file)
    expect(unasked.code).to.equal(1)
    expect(unasked.err).to.match(/^edgewright: nobody is there to agree to the plan: [^\n]*--yes[^\n]*\n$/)
    const applied = await onService('apply', file, '--prune', '--yes')
    expect(applied.code, applied.err).to.equal(0)
    expect(applied.out.split('\n')).to.include.members(['~ servers edge-chi-01', '    iloPassword: null → "********"'])
    expect(applied.out)
      .to.match(/\n {4}rack: .* → "r9"\n/)
      .and.match(/\n- asns 64496 edge-nyc\n/)
    expect(applied.out).to.match(/Applied: 0 created, 1 updated, \d+ unchanged, 1 removed\n$/)
    expect(applied.out).to.not.contain('told-nobody')
    expect((await onService('apply', file, '--prune', '--yes')).out).to.equal('Nothing to change.\n')
  })

  it('makes what was agreed to, or nothing when the records moved since', async () => {
    const body = { divisions: [{ name: 'planned' }] }
    const { plan } = (await server.ok('POST', '/api/1.3/import?dryRun=true&changes=true', body)).body.response
    expect(plan.changes).to.deep.include({
      kind: 'divisions',
      id: plan.changes[0].id,
      name: 'planned',
      action: 'create',
      fields: [{ field: 'name', before: null, after: 'planned' }],
    })
    await server.ok('POST', '/api/1.3/divisions', { name: 'planned' })
    const late = await server.request('POST', `/api/1.3/import?plan=${plan.digest}`, body)
    expect(late.status).to.equal(412)
    expect(late.text).to.contain('The records were changed since the plan was made')
  })

  it('keeps services as contexts, for their owner only', async () => {
    const env = { EDGEWRIGHT_PASSWORD: server.admin.password }
    const login = await run(['login', server.url, '--context', 'lab'], env)
    expect(login.code, login.err).to.equal(0)
    const file = at('config/edgewright/context.json')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect((await run(['get', 'user/current'], {})).out).to.contain('"username": "admin"')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    expect((await run(['context', 'list'], {})).out)
      .to.contain('lab')
      .and.not.contain(kept.contexts.lab.token)
    expect((await run(['get', 'cdns', '--context', 'labb'], {})).err).to.contain(
      "there is no context 'labb'; there are lab",
    )
    expect((await run(['logout'], {})).code).to.equal(0)
    const gone = await onService('get', 'cdns', '--token', kept.contexts.lab.token)
    expect(gone).to.deep.include({ code: 1, out: '' })
    expect(gone.err).to.match(/^edgewright: http\S+ answered 401: [^\n]*\n$/)
  })

  it('takes users away', async () => {
    expect((await onService('user', 'add', 'vic', '--role', 'read-only')).code).to.equal(0)
    const client = await server.as('operations')
    const [{ id }] = (await server.get('/api/1.3/users')).body.response.filter(
      (one: { username: string }) => one.username === 'admin',
    )
    expect((await client.request('DELETE', `/api/1.3/users/${id}`)).status).to.equal(403)
    expect((await server.request('DELETE', `/api/1.3/users/${id}`)).status).to.equal(409)
    expect(await onService('user', 'remove', 'vic')).to.deep.equal({
      code: 0,
      out: "The user 'vic' is removed.\n",
      err: '',
    })
    expect((await onService('user', 'remove', 'vic')).err).to.equal("edgewright: there is no user 'vic'\n")
  })

  it('completes commands and options in a shell', async () => {
    const script = await run(['completion', 'bash'], {})
    const completed = (...words: string[]) =>
      `COMP_WORDS=(edgewright ${words.join(' ')}); COMP_CWORD=${words.length}; _edgewright; echo "\${COMPREPLY[*]}"`
    const child = spawn('bash', [
      '-c',
      [script.out, completed('ap'), completed('user', 'rem'), completed('queue', 'x', '--cl')].join('\n'),
    ])
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    await new Promise((resolve) => child.once('close', resolve))
    expect(said).to.equal('apply\nremove\n--clear\n')
    for (const [shell, option] of [
      ['zsh', '--dry-run'],
      ['fish', '-l dry-run'],
    ] as const)
      expect((await run(['completion', shell], {})).out).to.contain(option)
    expect((await run(['completion', 'csh'], {})).code).to.equal(2)
  })
})
