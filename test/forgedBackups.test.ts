import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { BackupDamaged, checkBackup } from '../api/operations/backup/format.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

/** A checksum finds damage. Whoever makes a file can give it a right one, and any line they like. */
describe('backups that somebody wrote by hand', () => {
  let app: TestServer
  let lines: readonly string[]
  const env = { SESSION_SECRET: 'of-the-tests-of-restores', SHUTDOWN_SECONDS: '1' }

  before(async () => {
    app = await buildServer({ env })
    const { body } = await fetch(`${app.url}/api/1.3/backup`, { headers: { cookie: app.cookie() } })
    const bytes = Buffer.from(await new Response(body).arrayBuffer())
    const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString()
    lines = text.split('\n').slice(0, -2)
  })
  after(() => app.close())

  const sealed = (all: readonly string[]): string => {
    const text = all.map((line) => `${line}\n`).join('')
    const sha256 = createHash('sha256').update(text).digest('hex')
    return `${text}${JSON.stringify({ end: { lines: all.length, sha256 } })}\n`
  }
  const restore = async (body: string | Uint8Array, query: string) => {
    const headers = { cookie: app.cookie() }
    const answer = await fetch(`${app.url}/api/1.3/restore?${query}`, { method: 'POST', headers, body })
    return { status: answer.status, text: await answer.text() }
  }
  const division = (record: object, more: object = {}) =>
    JSON.stringify({ record: { kind: 'divisions', revision: 1, record: { id: 9, name: 'x', ...record }, ...more } })
  const entry = (more: object) => {
    const known = { revision: 2, time: '2026-06-01T12:00:00.000Z', user: 'x', id: 'x', requestId: 'x' }
    return JSON.stringify({ entry: { ...known, changes: [], log: [], ...more } })
  }
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

  const refusal = async (body: string | Uint8Array): Promise<string> => {
    const file = join(app.dataDir, 'forged.backup')
    writeFileSync(file, body)
    const error = await checkBackup(file).then(
      () => null,
      (error: Error) => error,
    )
    expect(error).to.be.instanceOf(BackupDamaged)
    return (error as BackupDamaged).what
  }

  for (const line of [
    ...['null', '5', '"blob"', '[]', '', '{', '{}', '{"other":1}', '{"state":null}', '{"record":null}', '{"entry":{}}'],
    '{"state":{"revision":1,"lastIds":null}}',
    '{"state":{"revision":1,"lastIds":{"__proto__":5}}}',
    '{"state":{"revision":9007199254740993,"lastIds":{}}}',
    '{"state":{"revision":1,"lastIds":{}},"journal":{"base":0}}',
    ...['{"id":-1}', '{"id":1e300}', '{"id":"../x"}', '{"id":null}'].map((id) => division(JSON.parse(id))),
    ...['__proto__', 'journal', 'blobChunks', 'marks', 'system.users', '../x', 7].map((kind) => division({}, { kind })),
    division({}, { record: null }),
    division({}, { revision: 'x' }),
    division({ name: 'DEEP' }).replace('"DEEP"', deep),
    ...['{"revision":-5}', '{"time":5}', '{"changes":null}', '{"changes":[null]}', '{"log":[5]}'].map((field) =>
      entry(JSON.parse(field)),
    ),
    entry({ changes: [{ kind: 'divisions', id: 9, before: null, after: { id: 'x' } }] }),
    ...['{"blob":null}', '{"blob":{"a":1}}', '{"bytes":5}', '{"left":"1"}', '{"left":-1}'].map((field) =>
      JSON.stringify({ blob: 'x', left: 0, bytes: '', ...JSON.parse(field) }),
    ),
    JSON.stringify({ blob: 'k'.repeat(5000), left: 0, bytes: '' }),
  ]) {
    it(`are refused for a line like ${line.slice(0, 90)}`, async () => {
      expect(await refusal(sealed([...lines, line]))).to.equal(`holds in line ${lines.length + 1} what no backup has`)
    })
  }

  it('are refused for a header, an end or a length that no backup has', async () => {
    const [first = '', ...rest] = lines
    const text = sealed(lines)
    for (const body of [
      sealed([first.replace('"version":1', '"version":{"a":1}'), ...rest]),
      sealed([first.replace(/"made":"[^"]*"/, '"made":{"a":1}'), ...rest]),
      sealed([first.replace(/"product":"[^"]*"/, '"product":"\\u001b[2J"'), ...rest]),
      sealed(['null', ...rest]),
      ...['null', '{"end":null}', '{"end":"x"}', '5'].map((end) => `${lines.join('\n')}\n${end}\n`),
      gzipSync(text).subarray(0, 500),
      Buffer.concat([gzipSync(text), Buffer.from('more')]),
      gzipSync(Buffer.alloc(600_000_000, 0x20), { level: 1 }),
    ]) {
      expect(await refusal(body)).to.match(/^(is|has|cannot be read|was altered)\b[^\p{Cc}]*$/u)
    }
  })

  it('are refused over HTTP in one error', async () => {
    for (const query of ['dryRun=true', 'force=true']) {
      const { status, text } = await restore(sealed([...lines, 'null']), query)
      expect(status, text).to.equal(400)
      expect(JSON.parse(text).alerts[0].text).to.match(
        /^The file holds in line \d+ what no backup has. Nothing was changed.$/,
      )
    }
  })

  it('are refused when nobody could look after what they hold', async () => {
    const users = lines.filter((line) => !line.startsWith('{"record":{"kind":"users"'))
    const { status, text } = await restore(sealed(users), 'force=true')
    expect(status, text).to.equal(400)
    expect(text).to.contain('it has no administrator of the root tenant').and.to.contain('Nothing was changed.')
    expect((await app.get('/api/1.3/users')).status).to.equal(200)
  })

  it('are taken otherwise', async () => {
    const { status, text } = await restore(sealed(lines), 'force=true')
    expect(status, text).to.equal(200)
  })
})
