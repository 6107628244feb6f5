import { expect } from 'chai'
import type { Entry, Store, StoredRecord } from '../../api/store/store.js'
import { JournalTrimmed } from '../../api/store/store.js'
import { created, deleted, entryAt, replay, sorted, timeAt, updated } from './entries.js'
import type { Place } from './places.js'

/** What every store must do. `place` gives a new, empty place to each test. */
export function describeStore(place: () => Place): void {
  let here: Place
  let store: Store

  beforeEach(async () => {
    here = place()
    store = await here.open()
  })
  afterEach(async () => {
    await store.close()
    await here.remove()
  })

  async function reopened(): Promise<Store> {
    await store.settled()
    await store.close()
    store = await here.open()
    return store
  }

  async function appended(...entries: Entry[]): Promise<void> {
    expect(await store.append(entries)).to.equal(entries.length)
  }

  describe('journal and records', () => {
    it('is empty at first', async () => {
      expect(await store.load()).to.deep.equal({ revision: 0, time: '', lastIds: {}, records: [] })
      expect(await store.head()).to.equal(0)
      expect(await store.entriesAfter(0, 10)).to.deep.equal([])
      expect(await store.log({ limit: 10 })).to.deep.equal([])
      expect(await store.listBlobs()).to.deep.equal([])
      await store.ping()
      await store.settled()
    })

    it('takes no entries without harm', async () => {
      expect(await store.append([])).to.equal(0)
    })

    it('gives back entries as they were, ascending and limited', async () => {
      const entries = [1, 2, 3, 4, 5].map((revision) => entryAt(revision))
      await appended(...entries.slice(0, 3))
      await appended(...entries.slice(3))
      expect(await store.head()).to.equal(5)
      expect(await store.entriesAfter(0, 100)).to.deep.equal(entries)
      expect(await store.entriesAfter(2, 2)).to.deep.equal(entries.slice(2, 4))
      expect(await store.entriesAfter(5, 100)).to.deep.equal([])
    })

    it('gives back heads and changes apart, those of a large entry in slices', async () => {
      const awkward = ['"', '\\', '\\"', '],[', '}{', ',', 'ü€😀'].join('\\","')
      const many = Array.from({ length: 4000 }, (_, at) =>
        created('cdns', { id: at + 1, name: `${awkward} ${at}`, tags: [awkward, ['x', { [awkward]: null }]] }),
      )
      const entries = [entryAt(1), entryAt(2, { changes: many }), entryAt(3), entryAt(4, { changes: [] })]
      await appended(...entries)
      const heads = entries.map(({ changes: _, ...head }) => head)
      expect(await store.headsAfter(0, 100)).to.deep.equal(heads)
      expect(await store.headsAfter(1, 2)).to.deep.equal(heads.slice(1, 3))
      expect(await store.headsAfter(4, 2)).to.deep.equal([])
      for (const { revision, changes } of entries) {
        const slices = []
        for await (const slice of store.changesOf(revision)) slices.push(slice)
        expect(slices.flat()).to.deep.equal(changes)
        if (revision === 2) expect(Math.max(...slices.map(({ length }) => length))).to.be.lessThan(1000)
      }
      expect(await store.entriesAfter(1, 1)).to.deep.equal([entries[1]])
    })

    it('loads what the journal says, after creating, updating, deleting and creating again', async () => {
      const first = { id: 7, name: 'a', tags: ['x', 'y'], nested: { list: [{ n: 1 }], none: null } }
      const second = { id: 9, name: 'b', on: true }
      const entries = [
        entryAt(1, { changes: [created('cdns', first), created('cdns', second), created('types', { id: 1 })] }),
        entryAt(2, { changes: [updated('cdns', first, { ...first, name: 'a2' })] }),
        entryAt(3, { changes: [deleted('cdns', second)] }),
        entryAt(4, { changes: [deleted('types', { id: 1 })] }),
        entryAt(5, { changes: [created('types', { id: 1, name: 'again' })] }),
        entryAt(6, { changes: [], log: [] }),
      ]
      for (const entry of entries) await appended(entry)
      expect(sorted(await store.load())).to.deep.equal(replay(entries))
      await reopened()
      expect(sorted(await store.load())).to.deep.equal(replay(entries))
      expect((await store.load()).lastIds).to.deep.equal({ cdns: 9, types: 1 })
    })

    it('takes several changes of one record in one entry in their order', async () => {
      const [a, b] = [
        { id: 1, name: 'a' },
        { id: 1, name: 'b' },
      ]
      const entries = [
        entryAt(1, { changes: [created('cdns', a), updated('cdns', a, b)] }),
        entryAt(2, { changes: [deleted('cdns', b), created('cdns', a)] }),
      ]
      await appended(...entries)
      await reopened()
      expect(sorted(await store.load())).to.deep.equal(replay(entries))
    })

    it('says the latest time of all entries, whatever clock the newest had', async () => {
      const entries = [1, 5, 3].map((at, index) => entryAt(index + 1, { time: timeAt(at) }))
      await appended(...entries)
      expect((await store.load()).time).to.equal(timeAt(5))
      await reopened()
      expect((await store.load()).time).to.equal(timeAt(5))
    })

    it('goes on after the newest entry when opened again', async () => {
      await appended(entryAt(1))
      await reopened()
      await appended(entryAt(2))
      expect(await store.head()).to.equal(2)
    })
  })

  describe('revisions', () => {
    it('does not take a revision twice', async () => {
      await appended(entryAt(1), entryAt(2))
      const late = entryAt(2, { changes: [created('cdns', { id: 99 })] })
      expect(await store.append([late])).to.equal(0)
      expect(await store.append([late, entryAt(3)])).to.equal(0)
      expect(await store.head()).to.equal(2)
      expect((await store.load()).records.map(({ record }) => record.id)).to.have.members([1, 2])
    })

    it('does not take another entry for its own because their requests have one name', async () => {
      const [first, second] = [entryAt(1), entryAt(1, { changes: [created('cdns', { id: 99 })] })]
      expect(first.requestId).to.equal(second.requestId)
      expect(await store.append([first])).to.equal(1)
      expect(await store.append([second])).to.equal(0)
      expect(await store.entriesAfter(0, 10)).to.deep.equal([first])
      await appended({ ...second, revision: 2 })
      expect(await store.entriesAfter(1, 10)).to.deep.equal([{ ...second, revision: 2 }])
    })

    it('takes appends that are in flight together, in order', async () => {
      const entries = Array.from({ length: 50 }, (_, index) => entryAt(index + 1))
      const counts = await Promise.all(entries.map((entry) => store.append([entry])))
      expect(counts).to.deep.equal(entries.map(() => 1))
      expect(await store.entriesAfter(0, 100)).to.deep.equal(entries)
    })

    it('lets one of those win who want the same revision, and none who built upon a loser', async () => {
      await appended(entryAt(1))
      const counts = await Promise.all([
        store.append([entryAt(2, { user: 'winner' })]),
        store.append([entryAt(2, { user: 'loser' })]),
        store.append([entryAt(3, { user: 'loser' })]),
      ])
      expect(counts).to.deep.equal([1, 0, 0])
      expect((await store.entriesAfter(1, 10)).map(({ user }) => user)).to.deep.equal(['winner'])
    })

    it('loses no update of many writers who each read, add and write', async () => {
      const writers = 20
      const each = 3
      const count = async () => (await store.entriesAfter(0, 1000)).length
      await Promise.all(
        Array.from({ length: writers }, async () => {
          for (let done = 0; done < each; ) {
            const seen = await count()
            const before = seen === 0 ? null : { id: 1, value: seen }
            const change = { kind: 'cdns', id: 1, before, after: { id: 1, value: seen + 1 } }
            done += await store.append([entryAt(seen + 1, { changes: [change] })])
          }
        }),
      )
      const loaded = await store.load()
      expect(loaded.revision).to.equal(writers * each)
      expect(loaded.records[0]?.record).to.deep.equal({ id: 1, value: writers * each })
    })

    it('refuses what no journal may hold', async () => {
      await appended(entryAt(1))
      const refused: [string, Entry[]][] = [
        ['a gap after the newest', [entryAt(3)]],
        ['a gap within', [entryAt(2), entryAt(4)]],
        ['revision 0', [entryAt(0)]],
        ['half a revision', [entryAt(1.5)]],
        ['a time of another form', [entryAt(2, { time: '2026-01-01 00:00:00' })]],
        ['an empty id', [entryAt(2, { id: '' })]],
        ['an id with control characters', [entryAt(2, { id: 'a\nb' })]],
        ['one id twice', [entryAt(2, { id: 'a' }), entryAt(3, { id: 'a' })]],
        ['an empty request id', [entryAt(2, { requestId: '' })]],
        ['a request id with control characters', [entryAt(2, { requestId: 'a\nb' })]],
        ['more log lines than ids', [entryAt(2, { log: Array(1001).fill(entryAt(2).log[0]) })]],
      ]
      for (const [what, entries] of refused) {
        const outcome = await store.append(entries).catch((error: unknown) => error)
        expect(outcome, what).to.be.instanceOf(RangeError)
      }
      expect(await store.head()).to.equal(1)
    })
  })

  describe('values', () => {
    const awkward: Record<string, unknown>[] = [
      { list: [[1, [2]], []] },
      { 'dotted.key': 1, $set: { $inc: 2 }, 'a.b': { 'c.d': null } },
      { text: 'nul \0 inside', list: ['\0'], inner: { key: '\0' } },
      { 'key\0nul': 1, '': 'empty key' },
      { lone: '\ud800', pair: '\u{1f600}', list: ['\udc00 x'] },
      JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "inner": {"__proto__": 2}}'),
      { _id: 5, rev: 1, gone: true, large: true, json: '{}', revision: 3, kind: 'x' },
      { big: 2 ** 53 - 1, more: 1e300, small: -1.5e-7, negative: -1, zero: 0, int32: 2 ** 31 },
      { empty: '', none: null, no: false, list: [], object: {}, text: ' \t\r\n"\\/\u2028\u007f' },
      { deep: Array.from({ length: 60 }).reduce((inner) => ({ inner }), 'bottom') },
    ]

    awkward.forEach((fields, index) => {
      it(`keeps ${JSON.stringify(fields).slice(0, 60)}`, async () => {
        const record = { ...fields, id: 1 } as StoredRecord
        // A spread would set the prototype, so the first record is the parsed one itself.
        Object.defineProperties(record, Object.getOwnPropertyDescriptors(fields))
        const user = index % 2 === 0 ? 'ad\0min \ud800' : 'admin'
        const log: Entry['log'] = [{ level: 'OPER', message: 'a\0b \udfff', ticketNum: '\0' }]
        const entry = entryAt(1, { user, log, changes: [created('cdns', record), created('cdns', { id: 2 })] })
        await appended(entry)
        await reopened()
        expect(await store.entriesAfter(0, 1)).to.deep.equal([entry])
        expect(sorted(await store.load())).to.deep.equal(replay([entry]))
        expect(JSON.stringify((await store.load()).records.find((r) => r.record.id === 1)?.record)).to.have.length(
          JSON.stringify(record).length,
        )
        const [line] = await store.log({ limit: 1, user, level: 'OPER' })
        expect(line).to.deep.equal({ ...log[0], id: 1000, revision: 1, time: entry.time, user })
      })
    })

    it('commits an entry larger than any document as one', async () => {
      const changes = Array.from({ length: 500 }, (_, index) =>
        created('cdns', { id: index + 1, text: `${index}äß\u{1f600}`.repeat(3000) }),
      )
      const entries = [entryAt(1), entryAt(2, { changes }), entryAt(3)]
      await appended(...entries)
      expect(await store.entriesAfter(0, 10)).to.deep.equal(entries)
      await reopened()
      expect(sorted(await store.load())).to.deep.equal(replay(entries))
    }).timeout(60_000)

    it('holds a record larger than any document', async () => {
      const entry = entryAt(1, { changes: [created('cdns', { id: 1, text: 'x'.repeat(17_000_000) })] })
      await appended(entry)
      await reopened()
      expect(sorted(await store.load())).to.deep.equal(replay([entry]))
      const smaller = entryAt(2, { changes: [created('cdns', { id: 1, text: 'y' })] })
      await appended(smaller)
      await reopened()
      expect(sorted(await store.load())).to.deep.equal(replay([entry, smaller]))
    }).timeout(60_000)
  })

  describe('trimmed journal', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => entryAt(index + 1))
    const revisions = async (since: number) => (await store.entriesAfter(since, 1000)).map(({ revision }) => revision)
    const trimmed = async (since: number) => {
      const outcome = await store.entriesAfter(since, 10).catch((error: unknown) => error)
      expect(outcome, `since ${since}`).to.be.instanceOf(JournalTrimmed)
      return (outcome as JournalTrimmed).base
    }

    it('begins after its base, and loads, logs and goes on as before', async () => {
      const entries = many(1200)
      await appended(...entries)
      await store.settled()
      expect(await store.base()).to.equal(0)
      expect(await store.lastBefore(timeAt(1101))).to.equal(1100)
      const loaded = sorted(await store.load())
      expect(await store.trim(1100)).to.equal(1100)
      for (const again of [false, true]) {
        if (again) await reopened()
        expect(await store.base()).to.equal(1100)
        expect(await trimmed(0)).to.equal(1100)
        expect(await trimmed(1099)).to.equal(1100)
        expect(await revisions(1100)).to.deep.equal(entries.slice(1100).map(({ revision }) => revision))
        expect(sorted(await store.load())).to.deep.equal(loaded)
        const lines = await store.log({ limit: 1000 })
        expect(lines.map(({ revision }) => revision)).to.deep.equal(await revisions(1100).then((all) => all.reverse()))
        expect(await store.log({ limit: 10, user: 'admin', since: timeAt(1), before: 1101_000 })).to.deep.equal([])
        expect(await store.log({ limit: 1, since: timeAt(1150), level: 'APICHANGE' })).to.have.length(1)
        expect(await store.lastBefore(timeAt(5))).to.equal(1100)
        expect(await store.lastBefore(timeAt(1151))).to.equal(1150)
        expect(await store.lastBefore(timeAt(9999))).to.equal(1200)
      }
      await appended(entryAt(1201))
      expect(await revisions(1199)).to.deep.equal([1200, 1201])
    }).timeout(60_000)

    it('keeps its newest entry, and takes being trimmed again, further, or not at all', async () => {
      await appended(...many(5))
      expect(await store.trim(0)).to.equal(0)
      expect(await store.trim(2)).to.equal(2)
      expect(await store.trim(1)).to.equal(2)
      expect(await store.trim(99)).to.equal(4)
      expect(await revisions(4)).to.deep.equal([5])
      await reopened()
      expect(await store.head()).to.equal(5)
      await appended(entryAt(6))
    })

    it('keeps every record and the largest id of every kind, those of deleted records too', async () => {
      const large = created('cdns', { id: 7, text: 'x'.repeat(13_000_000) })
      const gone = { id: 9, name: 'gone' }
      const entries = [
        entryAt(1, { changes: [large, created('types', gone)] }),
        entryAt(2, { changes: [deleted('types', gone)] }),
        ...[3, 4, 5].map((revision) => entryAt(revision)),
      ]
      await appended(...entries)
      expect(await store.trim(4)).to.equal(4)
      await reopened()
      expect(sorted(await store.load())).to.deep.equal(replay(entries))
      expect((await store.load()).lastIds).to.include({ types: 9 })
      expect(await trimmed(0)).to.equal(4)
      expect(await store.log({ limit: 10 })).to.have.length(1)
      expect(await store.trim(4)).to.equal(4)
      expect((await store.load()).records).to.have.length(4)
    }).timeout(60_000)

    it('is trimmed while others write', async () => {
      await appended(...many(300))
      const trimming = store.trim(299)
      for (let revision = 301; revision <= 340; revision++) await appended(entryAt(revision))
      await trimming
      expect(await store.trim(330)).to.equal(330)
      expect(await revisions(330)).to.have.length(10)
      expect((await store.load()).records).to.have.length(340)
    }).timeout(60_000)
  })

  describe('log', () => {
    const line = (level: Entry['log'][number]['level'], message: string) => ({ level, message, ticketNum: null })
    const entries = [
      entryAt(1, { user: 'anna', log: [line('APICHANGE', 'one'), line('UICHANGE', 'two')] }),
      entryAt(2, { user: 'bert', log: [] }),
      entryAt(3, { user: 'bert', log: [line('APICHANGE', 'three')] }),
      // Its clock was set back.
      entryAt(4, { user: 'anna', time: timeAt(1), log: [line('OPER', 'four')] }),
      entryAt(5, { user: 'anna', log: [line('APICHANGE', 'five'), line('APICHANGE', 'six')] }),
      entryAt(6, { user: 'x'.repeat(3000), log: [line('OPER', 'seven')] }),
    ]
    const table: [string, Parameters<Store['log']>[0], string[]][] = [
      ['everything, newest first', { limit: 100 }, ['seven', 'six', 'five', 'four', 'three', 'two', 'one']],
      ['a limit', { limit: 2 }, ['seven', 'six']],
      ['since, itself included', { since: timeAt(3), limit: 100 }, ['seven', 'six', 'five', 'three']],
      ['since in another form', { since: '2026-01-01T01:00:05+01:00', limit: 100 }, ['seven', 'six', 'five']],
      [
        'since before all',
        { since: '1999-01-01', limit: 100 },
        ['seven', 'six', 'five', 'four', 'three', 'two', 'one'],
      ],
      ['since after all', { since: timeAt(7), limit: 100 }, []],
      ['before a line', { before: 5001, limit: 2 }, ['five', 'four']],
      ['before the first line of an entry', { before: 5000, limit: 2 }, ['four', 'three']],
      ['before the first line of all', { before: 1000, limit: 2 }, []],
      ['a user', { user: 'anna', limit: 100 }, ['six', 'five', 'four', 'two', 'one']],
      ['a user, limited', { user: 'anna', limit: 1 }, ['six']],
      ['a user with a very long name', { user: 'x'.repeat(3000), limit: 100 }, ['seven']],
      ['a user that begins like one', { user: 'x'.repeat(2999), limit: 100 }, []],
      ['an unknown user', { user: 'nobody', limit: 100 }, []],
      ['a level', { level: 'APICHANGE', limit: 100 }, ['six', 'five', 'three', 'one']],
      ['all at once', { user: 'anna', level: 'APICHANGE', since: timeAt(1), before: 5001, limit: 9 }, ['five', 'one']],
    ]

    it('answers every kind of query', async () => {
      await appended(...entries)
      for (const [what, query, expected] of table) {
        const lines = await store.log(query)
        expect(
          lines.map(({ message }) => message),
          what,
        ).to.deep.equal(expected)
      }
      expect((await store.log({ limit: 2 }))[1]).to.deep.equal({
        ...entries[4]?.log[1],
        id: 5001,
        revision: 5,
        time: timeAt(5),
        user: 'anna',
      })
    })
  })

  it('keeps with a line the tenants whose records its entry touched', async () => {
    const line = { level: 'OPER', message: 'm', ticketNum: null } as const
    const log: Entry['log'] = [{ ...line, tenants: [] }, { ...line, tenants: [7, 12] }, line]
    const entry = entryAt(1, { log })
    await appended(entry)
    await reopened()
    expect(await store.entriesAfter(0, 1)).to.deep.equal([entry])
    expect((await store.log({ limit: 3 })).map(({ tenants }) => tenants)).to.deep.equal([undefined, [7, 12], []])
  })

  describe('blobs', () => {
    it('keeps bytes under their hash until they are deleted', async () => {
      const large = Buffer.alloc(20_000_000, 'every byte counts ')
      await store.putBlob({ hash: 'large', bytes: large })
      await store.putBlob({ hash: 'small', bytes: new Uint8Array([0, 1, 255]) })
      await store.putBlob({ hash: 'empty', bytes: new Uint8Array() })
      await store.putBlob({ hash: 'small', bytes: new Uint8Array([0, 1, 255]) })
      await reopened()
      expect(await store.listBlobs()).to.have.members(['large', 'small', 'empty'])
      expect(large.equals((await store.getBlob('large'))!)).to.equal(true)
      expect([...(await store.getBlob('small'))!]).to.deep.equal([0, 1, 255])
      expect([...(await store.getBlob('empty'))!]).to.deep.equal([])
      expect(await store.getBlob('other')).to.equal(null)
      await store.deleteBlobs(['large', 'other', 'empty'])
      expect(await store.listBlobs()).to.deep.equal(['small'])
      expect(await store.getBlob('large')).to.equal(null)
    }).timeout(60_000)
  })
}
