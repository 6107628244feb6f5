import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

const token = 'of-collectors-only'

describe('metrics', () => {
  /** Series by what they say of records: that somebody wrote, what failed, files, machines and what they wait for. */
  const ofRecords = [
    'edgewright_revision',
    'edgewright_remembered_dependencies',
    'edgewright_failures_total',
    'edgewright_journal_behind',
    'edgewright_pending_servers',
    'edgewright_oldest_pending_seconds',
    'edgewright_compile_seconds',
    'edgewright_upstream_failed',
  ]
  const ofTheProcess = ['edgewright_answers_total', 'edgewright_cache_bytes', 'process_resident_memory_bytes']
  const has = (text: string) => [...ofRecords, ...ofTheProcess].filter((name) => text.includes(`# TYPE ${name} `))
  const bearer = (shown: string) => ({ authorization: `Bearer ${shown}` })

  describe('without a token of their own', () => {
    let app: TestServer
    before(async () => {
      app = await buildServer({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    })
    after(() => app.close())

    it('tell users everything, and everybody else nothing of the records', async () => {
      const reader = await app.as('read-only')
      expect(has((await reader.ok('GET', '/metrics')).text)).to.deep.equal([...ofRecords, ...ofTheProcess])
      expect(has((await app.anonymous.ok('GET', '/metrics')).text)).to.deep.equal(ofTheProcess)
      expect(has((await app.anonymous.get('/metrics', bearer(token))).text)).to.deep.equal(ofTheProcess)
    })

    it('tell tokens what their scopes reach', async () => {
      for (const [scope, expected] of [
        ['read', [...ofRecords, ...ofTheProcess]],
        ['checks', ofTheProcess],
      ] as const) {
        const { response } = (await app.ok('POST', '/api/1.3/tokens', { description: scope, scopes: [scope] })).body
        const { text } = await app.anonymous.get('/metrics', bearer([response].flat()[0].token))
        expect(has(text), scope).to.deep.equal(expected)
      }
    })

    it('do not tell whether an address is known to whoever asks for a new password', async () => {
      await app.as('read-only', { username: 'known' })
      const moved = async (email: string) => {
        const figures = async () =>
          (await app.anonymous.get('/metrics')).text
            .split('\n')
            .filter((line) => line.startsWith('edgewright_') && !/answers_total|_artifact|_bytes|_compiles/.test(line))
        const before = await figures()
        await app.anonymous.ok('POST', '/api/1.3/user/reset_password', { email })
        await new Promise((resolve) => setTimeout(resolve, 200))
        return (await figures()).filter((line, at) => line !== before[at])
      }
      expect(await moved('known@example.net')).to.deep.equal(await moved('nobody@example.net'))
    })
  })

  it('with one are for whoever shows it, and for users', async () => {
    const app = await buildServer({ env: { METRICS_TOKEN: token } })
    try {
      for (const headers of [{}, bearer(''), bearer('of-collectors-onlx'), { authorization: token }]) {
        const { status, text } = await app.anonymous.get('/metrics', headers)
        expect(status).to.equal(401)
        expect(text).not.to.contain('edgewright_')
      }
      const shown = await app.anonymous.get('/metrics', bearer(token))
      expect(shown.status).to.equal(200)
      expect(has(shown.text)).to.deep.equal([...ofRecords, ...ofTheProcess])
      expect(has((await app.ok('GET', '/metrics')).text)).to.deep.equal([...ofRecords, ...ofTheProcess])
      // It opens nothing else.
      expect((await app.anonymous.get('/api/1.3/servers', bearer(token))).status).to.equal(401)
    } finally {
      await app.close()
    }
  })
})
