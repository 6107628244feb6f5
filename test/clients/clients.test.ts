import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'
import { linkModules, pythonTools, run, sources, typescriptTools } from './tools.js'

/** Clients that others' programs make of the OpenAPI document do README's tour, and their types hold without a cast. */
describe('generated clients', () => {
  let server: TestServer
  let folder: string
  before(async () => {
    server = await sampleServer()
    folder = mkdtempSync(join(tmpdir(), 'edgewright-clients-'))
    writeFileSync(join(folder, 'openapi.json'), (await server.anonymous.get('/api/openapi.json')).text)
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  })

  const arguments_ = () => [server.url, server.admin.username, server.admin.password]

  it('in TypeScript, by openapi-typescript', async function () {
    this.timeout(180_000)
    const tools = await typescriptTools()
    if (!tools) return this.skip()
    const own = join(folder, 'typescript')
    cpSync(join(sources, 'typescript'), own, { recursive: true })
    linkModules(tools, own)
    const program = (path: string) => join(tools, 'node_modules', path)
    const node = async (...given: string[]) => (await run(process.execPath, given, { cwd: own })).stdout
    await node(program('openapi-typescript/bin/cli.js'), join(folder, 'openapi.json'), '-o', 'api.d.ts')
    await node(program('typescript/bin/tsc'), '-p', '.').catch((error: { stdout: string }) => {
      throw new Error(error.stdout)
    })
    mustBeTheTour(await node('tour.js', ...arguments_()))
  })

  it('in Python, by openapi-python-client', async function () {
    this.timeout(180_000)
    const tools = await pythonTools()
    if (!tools) return this.skip()
    const own = join(folder, 'python')
    cpSync(join(sources, 'python'), own, { recursive: true })
    const packages = join(tools, 'packages')
    const path = [join(packages, 'bin'), process.env.PATH].join(delimiter)
    const env = { ...process.env, PYTHONPATH: packages, PATH: path, PYTHONDONTWRITEBYTECODE: '1' }
    const python = async (...given: string[]) => (await run('python3', given, { cwd: own, env })).stdout
    const document = ['--path', join(folder, 'openapi.json')]
    const made = await python(
      '-m',
      'openapi_python_client',
      'generate',
      '--config',
      'generate.yml',
      ...document,
      '--meta',
      'none',
      '--output-path',
      'edgewright_client',
    )
    expect(made, 'what it could not read').not.to.match(/WARNING|ERROR|Unable/)
    const types = ['-m', 'mypy', '--strict', '--follow-imports=silent', '--cache-dir', join(tools, 'mypy'), 'tour.py']
    await python(...types).catch((error: { stdout: string }) => {
      throw new Error(error.stdout)
    })
    mustBeTheTour(await python('tour.py', ...arguments_()))
  })
})

function mustBeTheTour(output: string): void {
  const found = JSON.parse(output)
  expect(found.servers).to.have.length(2)
  expect(found.servers[0]).to.match(/^edge-\S+ \d+$/)
  expect(found.file).to.match(/^# DO NOT EDIT|^#/)
  expect(found.why).to.include('servers')
  expect(found.renamed).to.equal('renamed')
  expect(found.changed).to.include('update cdns')
  expect(found.log).not.to.deep.equal([])
  expect(found.refused).to.deep.equal(['error'])
}
