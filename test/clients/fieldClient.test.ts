import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'
import { run, sources } from './tools.js'

/** Typed programs of the field send null, "" and 0 for whatever they were not given, and read into the same types. */
describe('a typed client of the field', () => {
  let server: TestServer
  let folder: string
  before(async () => {
    server = await sampleServer()
    folder = mkdtempSync(join(tmpdir(), 'edgewright-go-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  })

  it('makes, reads, changes and removes one of each kind of record, in Go', async function () {
    this.timeout(300_000)
    const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', GOPROXY: 'off' }
    const isThere = await run('go', ['version'], { env }).then(
      () => true,
      () => false,
    )
    if (!isThere) {
      console.log('    SKIPPED: there is no Go')
      return this.skip()
    }
    const program = join(folder, 'client')
    await run('go', ['build', '-o', program, '.'], { cwd: join(sources, 'go'), env })
    const { username, password } = server.admin
    const said = await run(program, [server.url, username, password]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    )
    const lines = said.trimEnd().split('\n')
    expect(lines.filter((line) => !/ lived$|^all removed$/.test(line))).to.deep.equal([])
    expect(lines).to.have.length(20)
    expect(lines.at(-1)).to.equal('all removed')
  })
})
