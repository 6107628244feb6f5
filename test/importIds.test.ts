import { expect } from 'chai'
import fc from 'fast-check'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import { recordKinds } from '../api/records/kinds/index.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

type Document = Record<string, Record<string, unknown>[]>

/** What a document says of its records comes back from an empty store: their ids, and who refers to whom. */
describe('import into an empty store', () => {
  const open: TestServer[] = []
  const started = async (): Promise<TestServer> => {
    const app = await buildServer()
    open.push(app)
    return app
  }
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close()
  })

  /** Every record but those of machines and people, with its id, as the working set has it. */
  const records = ({ service }: TestServer): Record<string, unknown> => {
    const { data } = service.services
    const kept = recordKinds.filter(({ kind, transient }) => !transient && kind !== 'users' && kind !== 'apiTokens')
    return Object.fromEntries(
      kept.map(({ kind }) => [
        kind,
        (data.all(kind as 'servers') as readonly object[]).map((row) => ({ ...row, lastUpdated: '' })),
      ]),
    )
  }
  const exported = async (app: TestServer): Promise<Document> => (await app.ok('GET', '/api/1.3/export?ids=true')).body
  const reversed = (document: Document): Document =>
    Object.fromEntries(Object.entries(document).map(([kind, rows]) => [kind, [...rows].reverse()]))

  it('keeps the ids, in whatever order records come', async () => {
    const source = await started()
    await source.ok('POST', '/api/1.3/import', sampleCdn)
    const { response: servers } = (await source.ok('GET', '/api/1.3/servers')).body
    for (const { id } of servers.slice(3, 6)) await source.ok('DELETE', `/api/1.3/servers/${id}`)
    const document = await exported(source)
    for (const given of [document, reversed(document)]) {
      const target = await started()
      await target.ok('POST', '/api/1.3/import', given)
      expect(records(target)).to.deep.equal(records(source))
      expect(await exported(target)).to.deep.equal(document)
    }
  })

  it('gives records without an id one that no other wants, and later ones new ids', async () => {
    const app = await started()
    const division = (name: string, id?: unknown) => ({ name, ...(id === undefined ? {} : { id }) })
    const divisions = [division('a'), division('b', 2), division('c'), division('d', 1)]
    await app.ok('POST', '/api/1.3/import', { divisions })
    const ids = async () =>
      Object.fromEntries(
        (await app.ok('GET', '/api/1.3/divisions')).body.response.map((row: { name: string; id: number }) => [
          row.name,
          row.id,
        ]),
      )
    expect(await ids()).to.deep.equal({ a: 3, b: 2, c: 4, d: 1 })
    await app.ok('POST', '/api/1.3/divisions', { name: 'e' })
    expect((await ids()).e).to.equal(5)
  })

  it('gives no id again that was given out before', async () => {
    const app = await started()
    await app.ok('POST', '/api/1.3/import', { divisions: [{ name: 'a', id: 7 }] })
    await app.ok('DELETE', '/api/1.3/divisions/7')
    await app.ok('POST', '/api/1.3/import', {
      divisions: [{ name: 'b', id: 7 }],
      regions: [{ name: 'r', division: 7 }],
    })
    const [region] = (await app.ok('GET', '/api/1.3/regions')).body.response
    expect(region).to.include({ division: 8, divisionName: 'b' })
    expect((await app.ok('GET', '/api/1.3/divisions')).body.response[0].id).to.equal(8)
  })

  it('takes ids that are digits, as versions 1.1 and 1.2 answer them', async () => {
    const source = await started()
    await source.ok('POST', '/api/1.3/import', sampleCdn)
    const lists = ['cdns', 'divisions', 'regions', 'cachegroups', 'types', 'statuses', 'profiles', 'servers', 'asns']
    const document: Document = {}
    for (const list of lists) document[list] = (await source.ok('GET', `/api/1.2/${list}`)).body.response
    expect(document.servers![0]!.id).to.be.a('string')
    expect((await source.ok('POST', '/api/1.3/import', document)).body.response).to.include({ created: 0 })
    const app = await started()
    const regions = [{ id: '12', name: 'r', division: 11 }]
    await app.ok('POST', '/api/1.3/import', { divisions: [{ id: '11', name: 'd' }], regions })
    const [region] = (await app.ok('GET', '/api/1.3/regions')).body.response
    expect(region).to.include({ id: 12, division: 11, divisionName: 'd' })
    const twice = {
      divisions: [
        { id: '21', name: 'e' },
        { id: 21, name: 'f' },
      ],
    }
    expect((await app.request('POST', '/api/1.3/import', twice)).status).to.equal(400)
  })

  it('refuses ids that are none, and those given twice', async () => {
    const app = await started()
    const divisions = [
      { name: 'a', id: 0 },
      { name: 'b', id: 'x' },
      { name: 'c', id: 5 },
      { name: 'd', id: 5 },
    ]
    const answer = await app.request('POST', '/api/1.3/import', { divisions })
    expect(answer.status).to.equal(400)
    expect(answer.body.alerts.map(({ text }: { text: string }) => text.replace(/ from .*/, ''))).to.deep.equal([
      'divisions[0]: id must be a whole number',
      'divisions[1]: id must be a whole number',
      'divisions[3]: has the same id 5 as divisions[2]',
    ])
  })

  it('takes cache groups that name each other, by name or by id, and counts each once', async () => {
    const group = (name: string, more: object) => ({ name, shortName: name, typeName: 'EDGE_LOC', ...more })
    const byName = [
      group('east', { secondaryParentCachegroup: 'west' }),
      group('west', { parentCachegroupName: 'east', secondaryParentCachegroupName: 'north' }),
      group('north', { parentCachegroup: 'west' }),
    ]
    const byId = [
      group('east', { id: 11, secondaryParentCachegroupId: 12 }),
      group('west', { id: 12, parentCachegroupId: 11, secondaryParentCachegroupId: 13 }),
      group('north', { id: 13, parentCachegroupId: 12 }),
    ]
    for (const cachegroups of [byName, byId]) {
      const app = await started()
      const fallbacks = [
        { cacheGroupName: 'east', fallbackName: 'west', fallbackOrder: 1 },
        { cacheGroupName: 'west', fallbackName: 'east', fallbackOrder: 1 },
      ]
      const first = await app.ok('POST', '/api/1.3/import', { cachegroups, cachegroupFallbacks: fallbacks })
      expect(first.body.response).to.deep.equal({ created: 5, updated: 0, unchanged: 0, removed: 0 })
      const again = await app.ok('POST', '/api/1.3/import', { cachegroups, cachegroupFallbacks: fallbacks })
      expect(again.body.response).to.deep.equal({ created: 0, updated: 0, unchanged: 5, removed: 0 })
      const shown = (await app.ok('GET', '/api/1.3/cachegroups')).body.response
      const parents = shown.map((row: Record<string, unknown>) => [
        row.name,
        row.parentCachegroupName,
        row.secondaryParentCachegroupName,
      ])
      expect(parents).to.have.deep.members([
        ['east', null, 'west'],
        ['west', 'east', 'north'],
        ['north', 'west', null],
      ])
    }
  })

  it('still refuses a cache group that is its own parent through others', async () => {
    const app = await started()
    const group = (name: string, parent: string) => ({
      name,
      shortName: name,
      typeName: 'EDGE_LOC',
      parentCachegroup: parent,
    })
    const answer = await app.request('POST', '/api/1.3/import', {
      cachegroups: [group('a', 'b'), group('b', 'c'), group('c', 'a')],
    })
    expect(answer.status).to.equal(400)
    expect(answer.text).to.contain('cachegroups[0]: parentCachegroup: a cache group cannot be a parent of itself')
  })

  it('takes any cache groups that could be made one by one', async () => {
    const apps = [await started(), await started()] as const
    const groups = fc.integer({ min: 1, max: 9 }).chain((count) => {
      const some = fc.option(fc.nat(count - 1))
      return fc.record({
        parents: fc.array(some, { minLength: count, maxLength: count }),
        seconds: fc.array(some, { minLength: count, maxLength: count }),
        order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count }),
      })
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(groups, async ({ parents, seconds, order }) => {
        const name = (at: number) => `g${run}-${at}`
        run += 1
        const cachegroups = order.map((at) => ({
          name: name(at),
          shortName: name(at),
          typeName: 'EDGE_LOC',
          // A first parent comes before its children, so that none is its own; a second one may be anybody.
          parentCachegroup: parents[at] != null && parents[at] < at ? name(parents[at]) : null,
          secondaryParentCachegroup: seconds[at] != null && seconds[at] !== at ? name(seconds[at]) : null,
        }))
        const [source, target] = apps
        const { response } = (await source.ok('POST', '/api/1.3/import', { cachegroups })).body
        expect(response).to.deep.equal({ created: order.length, updated: 0, unchanged: 0, removed: 0 })
        await target.ok('POST', '/api/1.3/import', await exported(source))
        expect(records(target)).to.deep.equal(records(source))
      }),
      { numRuns: 30 },
    )
  })
})
