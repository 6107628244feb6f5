import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import pino from 'pino'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { serveInChild } from './servedChild.js'

const countOf = (metrics: string, work: string): number =>
  Number(new RegExp(`^edgewright_failures_total\\{work="${work}"\\} (\\d+)$`, 'm').exec(metrics)?.[1])

describe('what fails and nobody waits for', function () {
  this.timeout(60_000)

  describe('in the background', () => {
    let server: TestServer
    const lines: { level: number; work?: string; msg: string; err?: { message: string } }[] = []
    before(async () => {
      // Nobody listens at a port that was just let go.
      const port = await new Promise<number>((resolve) => {
        const taken = createServer().listen(0, '127.0.0.1', () => {
          const { port } = taken.address() as { port: number }
          taken.close(() => resolve(port))
        })
      })
      const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
      server = await buildServer({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` }, log })
    })
    after(() => server.close())

    it('is counted from 0 for each kind of work', async () => {
      const { text } = await server.get('/metrics')
      for (const work of ['mail', 'records', 'leftovers', 'trim', 'unhandled']) expect(countOf(text, work)).to.equal(0)
    })

    it('is logged and counted, as a mail that cannot be sent', async () => {
      const { body } = await server.ok('GET', '/api/1.3/user/current')
      await server.ok('PUT', '/api/1.3/user/current', { user: { ...body.response, email: 'admin@example.net' } })
      await server.anonymous.ok('POST', '/api/1.3/user/reset_password', { email: 'admin@example.net' })
      while (countOf((await server.get('/metrics')).text, 'mail') === 0)
        await new Promise((resolve) => setTimeout(resolve, 20))
      const [line] = lines.filter(({ work }) => work === 'mail')
      expect(line).to.include({ level: 50, msg: 'a mail could not be sent' })
      expect(line!.err!.message).to.contain('ECONNREFUSED')
    })
  })

  it('does not end the service, but is logged and counted, where a promise has nobody at all', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewright-rejects-'))
    // Another module of the process, with the mistake that is to be survived.
    const module = join(folder, 'rejects.mjs')
    writeFileSync(module, "process.on('SIGUSR2', () => { Promise.reject(new Error('nobody waits for this')) })\n")
    const served = await serveInChild({ NODE_OPTIONS: `--import=${module}`, METRICS_TOKEN: 'a token of 16 bytes' })
    try {
      const said = new Promise<string>((resolve) => {
        served.child.stdout!.on('data', (chunk) => {
          if (String(chunk).includes('nobody waits for this')) resolve(String(chunk))
        })
      })
      served.child.kill('SIGUSR2')
      const line = await Promise.race([said, served.ended.then((code) => `it ended with ${code}`)])
      expect(line).to.contain('something failed that nobody waited for').and.to.contain('"work":"unhandled"')
      const metrics = await (
        await fetch(`${served.url}/metrics`, { headers: { authorization: 'Bearer a token of 16 bytes' } })
      ).text()
      expect(countOf(metrics, 'unhandled')).to.equal(1)
    } finally {
      await served.discard()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
