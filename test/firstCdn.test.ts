import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import type { Finding } from '../api/operations/check/finding.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { fetchedFiles } from './cache-server/agent.js'
import { findCacheServer } from './cache-server/cacheServer.js'
import { layOut } from './cache-server/layOut.js'
import { verify } from './cache-server/verify.js'
import { inWorkFolder } from './cache-server/workFolder.js'

/** The commands as README gives them, one with all its lines each. */
function commandsInReadme(): string[] {
  const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
  const block = /\n## Your first CDN\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  return block.split(/\n(?=curl|for)/).filter((text) => text.trim() !== '')
}

/** Runs a script as a newcomer's shell would; resolves to what it wrote, and fails where a command of it fails. */
function ran(script: string, { folder, password }: { folder: string; password: string }): Promise<string> {
  const shell = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env: { ...process.env, PASSWORD: password } })
  let said = ''
  const note = (text: Buffer) => {
    said += text
  }
  shell.stdout.on('data', note)
  shell.stderr.on('data', note)
  shell.stdin.end(script)
  return new Promise((resolve, reject) =>
    shell.on('close', (code) =>
      code === 0 ? resolve(said) : reject(new Error(`the shell ended with ${code}: ${said}`)),
    ),
  )
}

describe('the first CDN, by the commands of README', () => {
  let server: TestServer
  let said = ''
  before(async () => {
    server = await buildServer()
    const folder = mkdtempSync(join(tmpdir(), 'edgewright-first-'))
    const script = commandsInReadme().join('\n').replaceAll('http://127.0.0.1:8080', server.url)
    said = await ran(script, { folder, password: server.admin.password }).finally(() =>
      rmSync(folder, { recursive: true }),
    )
  })
  after(() => server.close())

  it('takes ten of them, and the address', () => {
    expect(commandsInReadme()).to.have.length(11)
  })

  it('serves: nothing is found that would keep it from that', async () => {
    expect(said).to.include('"serves":true')
    const { serves, findings } = (await server.ok('GET', '/api/1.3/cdns/first/check')).body.response
    expect(serves).to.equal(true)
    const codes = new Set(findings.map(({ code }: Finding) => code))
    expect([...codes].sort()).to.deep.equal(['address-unknown', 'placeholder-address'])
  })

  it('is what routers and monitors are told', async () => {
    const document = (await server.ok('GET', '/CRConfig-Snapshots/first/CRConfig.json')).body
    expect(document.contentServers['edge-1'].deliveryServices).to.deep.equal({
      films: ['edge-1.films.cdn.example.com'],
    })
    expect([Object.keys(document.contentRouters), Object.keys(document.monitors)]).to.deep.equal([
      ['router-1'],
      ['monitor-1'],
    ])
  })

  it('is what the caches run, and the cache server loads it', async function () {
    this.timeout(60_000)
    const machine = { domainName: 'example.com', tcpPort: 80 }
    const files = await fetchedFiles(server, 'edge-1')
    const text = (name: string) => files.find(({ fnameOnDisk }) => fnameOnDisk === name)?.text
    expect(text('remap.config')).to.match(
      /^map http:\/\/edge-1\.films\.cdn\.example\.com\/ http:\/\/origin\.example\.com\/ /m,
    )
    expect(text('parent.config')).to.include('mid-1.example.com:80')
    const cacheServer = await findCacheServer()
    if ('missing' in cacheServer) {
      console.log(`      SKIPPED, ${cacheServer.missing}: whether it loads what was compiled was not tested`)
      return
    }
    for (const [hostName, ipAddress] of [
      ['edge-1', '192.0.2.11'],
      ['mid-1', '192.0.2.21'],
    ] as const) {
      const { problems } = await inWorkFolder('first', async (folder) => {
        const own = hostName === 'edge-1' ? files : await fetchedFiles(server, hostName)
        await layOut(own, { folder, machine: { hostName, ipAddress, ...machine }, defaults: cacheServer.defaults })
        return verify(cacheServer, folder)
      })
      expect([hostName, problems]).to.deep.equal([hostName, []])
    }
  })
})
