import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createRecordKinds } from '../api/journal/kinds.js'
import { checkRestorable } from '../api/operations/backup/checkRestorable.js'
import { Contents } from '../api/operations/backup/contents.js'
import type { Line } from '../api/operations/backup/lineShape.js'
import { recordKinds } from '../api/records/kinds/index.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { everything, lived } from './lived.js'

interface Said {
  readonly record?: { readonly kind: string; readonly revision: number; readonly record: Record<string, unknown> }
  readonly entry?: { readonly changes: readonly { readonly kind: string }[] } & Record<string, unknown>
  readonly blob?: string
}

/** Lines of the right shape, with a right checksum, whose records and entries no service could have written. */
describe('what a forged backup holds', function () {
  this.timeout(120_000)
  let app: TestServer
  let folder: string
  let lines: string[]
  let said: Said[]

  before(async () => {
    app = await buildServer({
      env: { LOG_LEVEL: 'error', SESSION_SECRET: 'of-the-tests-of-restores', SHUTDOWN_SECONDS: '1' },
    })
    folder = mkdtempSync(join(tmpdir(), 'edgewright-forged-'))
    await lived(app)
    lines = (await app.ok('GET', '/api/1.3/backup')).text.split('\n').slice(0, -2)
    said = lines.map((line) => JSON.parse(line))
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await app.close()
  })

  const sealed = (all: readonly string[]): string => {
    const text = all.map((line) => `${line}\n`).join('')
    const sha256 = createHash('sha256').update(text).digest('hex')
    return `${text}${JSON.stringify({ end: { lines: all.length, sha256 } })}\n`
  }
  /** With other lines at these places. */
  const forged = (changed: ReadonlyMap<number, object>): string =>
    sealed(lines.map((line, at) => (changed.has(at) ? JSON.stringify(changed.get(at)) : line)))
  const refusal = async (text: string): Promise<string | null> => {
    const file = join(folder, 'forged.backup')
    writeFileSync(file, text)
    return checkRestorable(file).then(
      () => null,
      (error: Error & { what?: string }) => error.what ?? String(error.stack),
    )
  }
  const restore = async (body: string) => {
    const headers = { cookie: app.cookie() }
    const answer = await fetch(`${app.url}/api/1.3/restore?force=true`, { method: 'POST', headers, body })
    return { status: answer.status, text: await answer.text() }
  }
  /** A record of the kind as the backup has one, or made of nothing but what its fields are by themselves. */
  const oneOf = (kind: string): number => said.findLastIndex(({ record }) => record?.kind === kind)
  const withField = (at: number, name: string, value: unknown): object => {
    const { record } = said[at]!
    const { [name]: _, ...rest } = record!.record
    return { record: { ...record!, record: value === undefined ? rest : { ...rest, [name]: value } } }
  }
  const strange = [{ a: 1 }, ['x'], true, 'x', -1.5, 1e300, '\u0000', {}]

  const catalogue = createRecordKinds(recordKinds)

  it('is refused for every field of every kind that is missing, null or of another type, or harms nobody', async () => {
    const harmless = new Map<number, Record<string, unknown>>()
    const unsaid: string[] = []
    let refused = 0
    for (const { kind, label, fields } of recordKinds) {
      const at = oneOf(kind)
      if (at < 0) continue
      for (const name of [...Object.keys(fields), 'lastUpdated']) {
        for (const value of [undefined, null, ...strange]) {
          const record = withField(at, name, value)
          const what = new Contents(catalogue).take(record as Line, 2)
          const isSaid = what?.startsWith(`holds in line 2 a ${label} that no store has: ${name}`)
          if (isSaid) refused += 1
          else if (value === undefined || value === null) harmless.set(at, { ...harmless.get(at), [name]: value })
          else if (!fitsText(kind, name, value)) unsaid.push(`${kind}.${name} ${JSON.stringify(value)}: ${what}`)
        }
      }
    }
    expect(unsaid).to.deep.equal([])
    expect(refused).to.be.greaterThan(1000)
    // What a release before this one made by cutting a text in the middle of a character.
    harmless.set(oneOf('serverUpdates'), { lastResult: 'failed', lastMessage: 'y\ud83d' })
    // What may be missing, or null, all at once: every GET answers.
    // But for a list that has to be that of another record.
    harmless.delete(oneOf('snapshots'))
    const records = [...harmless].map(([at, values]) => {
      const { record } = said[at]!
      const kept = Object.entries({ ...record!.record, ...values }).filter(([, value]) => value !== undefined)
      return [at, { record: { ...record!, record: Object.fromEntries(kept) } }] as const
    })
    const { status, text } = await restore(forged(new Map(records)))
    expect(status, text).to.equal(200)
    app = { ...app, ...(await app.login(app.admin.username, app.admin.password)) }
    const failed = [...(await everything(app))].filter(([, answer]) => answer.startsWith('500'))
    expect(failed).to.deep.equal([])
  })

  /** Any text may stand where text is wanted, and numbers where they are in range. */
  const fitsText = (kind: string, name: string, value: unknown): boolean => {
    const field = recordKinds.find((one) => one.kind === kind)!.fields[name] as {
      type?: string | string[]
      enum?: unknown
    }
    const types = [field?.type ?? 'string'].flat()
    if (value === 'x') return types.includes('string') && field !== undefined
    if (typeof value === 'boolean') return types.includes('boolean')
    if (Array.isArray(value)) return types.includes('array')
    return typeof value === 'number' && types.includes('number')
  }

  it('is refused for records, entries and documents that do not belong together', async () => {
    const at = (key: string, kind?: string): number =>
      said.findLastIndex((one) => key in one && (kind === undefined || one.record?.kind === kind))
    const changed = (place: number, change: (said: Said) => object): string =>
      forged(new Map([[place, change(structuredClone(said[place]!))]]))
    const server = at('record', 'servers')
    const entry = at('entry')
    const state = at('state')
    const blob = at('blob')
    const cdn = at('record', 'cdns')
    const snapshot = at('record', 'snapshots')
    const { name } = said.find(({ record }) => record?.kind === 'cdns' && record !== said[cdn]!.record)!.record!.record
    const wholes: [string, RegExp][] = [
      [
        forged(new Map([[server, withField(server, 'cdnId', 999)]])),
        /server that no store has: cdnId: there is no cdn/,
      ],
      [forged(new Map([[cdn, withField(cdn, 'name', name)]])), /cdn that no store has: a cdn with name .* already/],
      [sealed(lines.toSpliced(server, 0, lines[server]!)), /server that no store has: id \d+ is there twice$/],
      [
        changed(cdn, ({ record }) => ({ record: { ...record, kind: 'racks' } })),
        /of the kind 'racks', which there is not$/,
      ],
      [
        changed(cdn, ({ record }) => ({ record: { ...record, revision: 4711 } })),
        /a record of revision 4711, and is of/,
      ],
      [sealed(lines.toSpliced(entry - 1, 1)), /entry \d+ where \d+ has to be$/],
      [sealed(lines.toSpliced(entry, 1)), /^is of revision \d+, but its journal ends with \d+$/],
      [
        changed(entry, ({ entry }) => ({ entry: { ...entry, time: '2026-13-01T00:00:00.000Z' } })),
        /whose time is none$/,
      ],
      [
        changed(entry, ({ entry }) => ({
          entry: { ...entry, changes: [{ kind: 'servers', id: 1, before: null, after: { id: 1, cdnId: { a: 1 } } }] },
        })),
        /server that no store has: cdnId must be an integer$/,
      ],
      [
        changed(entry, ({ entry }) => ({
          entry: { ...entry, log: [{ level: 'OPER', message: '', ticketNum: null, tenants: 'all' }] },
        })),
        /what no backup has$/,
      ],
      [sealed(lines.toSpliced(state, 1)), /^does not say its revision$/],
      [changed(blob, (one) => ({ ...one, bytes: 'AAAA' })), /snapshot version that no store has: manifest: /],
      [sealed(lines.toSpliced(blob, 1)), /snapshot version that no store has: manifest: the store has lost/],
      [
        forged(new Map([[snapshot, withField(snapshot, 'crConfigHash', 'x')]])),
        /manifest: version \d+ of .* is damaged/,
      ],
      [forged(new Map([[snapshot, withField(snapshot, 'packs', undefined)]])), /packs: are not those of the manifest$/],
      [forged(new Map([[snapshot, withField(snapshot, 'changes', '[')]])), /changes: is no JSON object$/],
    ]
    expect(await refusal(sealed(lines))).to.equal(null)
    for (const [text, expected] of wholes) expect(await refusal(text)).to.match(expected)
  })

  it('is refused over HTTP, which names line, kind and field, and opens what is sealed', async () => {
    const cdn = oneOf('cdns')
    const bare = { record: { ...said[cdn]!.record!, record: { id: 7, name: 'x' } } }
    const key = oneOf('urlSigKeys')
    const { sealed: text } = said[key]!.record!.record as { sealed: string }
    const damaged = withField(key, 'sealed', `${text.slice(0, -4)}AAAA`)
    for (const [at, record, expected] of [
      [cdn, bare, /^The file holds in line \d+ a cdn that no store has: domainName is required. Nothing was changed.$/],
      [key, damaged, /^The backup cannot be used: .*urlSigKeys \d+: .*tampered with/],
    ] as const) {
      const answer = await restore(forged(new Map([[at, record]])))
      expect(answer.status, answer.text).to.equal(400)
      expect(JSON.parse(answer.text).alerts[0].text).to.match(expected)
    }
    expect((await app.get('/api/1.3/cdns')).status).to.equal(200)
  })
})
