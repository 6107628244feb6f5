import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ApiError } from '../api/config/errors.js'
import { serviceUrl } from '../api/config/serviceUrl.js'
import type { Transaction } from '../api/journal/transaction.js'
import type { Parts } from '../api/operations/parts.js'
import { liveAnswer } from '../api/operations/snapshots/results.js'
import { readBody } from '../api/records/recordBody.js'
import { asReader } from '../api/schema/data.js'
import type { Row } from '../api/schema/defineKind.js'
import { system } from '../api/schema/privileges.js'
import type { CompileJob } from '../compiler/core/compile.js'
import { kinds } from '../compiler/data/model.js'
import { listing } from '../compiler/listing/listing.js'
import type { TestServer } from './build.js'
import { documentJobs, fleetJobs, freshHash, servedHash } from './fleetJobs.js'
import { otherValues } from './otherValues.js'
import { sampleServer } from './sampleServer.js'

/** What a part was made of is only wrong once it is kept, so one service lives through all edits of all fields. */
describe('every field a compile can read', function () {
  this.timeout(600_000)
  let server: TestServer
  let services: Parts
  before(async () => {
    server = await sampleServer()
    services = server.service.services
    await compareAll('at the start')
  })
  after(() => server.close())

  for (const [kind, { fields, links }] of Object.entries(kinds)) {
    for (const field of [...Object.keys(fields), ...Object.keys(links)]) {
      it(`${kind}.${field}`, async () => {
        const before = await edit(kind, field)
        // What the rules refuse may still be in the journal: other instances and older versions wrote it, too.
        const isRefused = before.size === 0
        if (isRefused) await journal(kind, field, before)
        expect([...before.keys()], 'there is no other value').to.not.deep.equal([])
        await compareAll(`${kind} ${[...before.keys()]}`)
        await putBack(kind, field, before, isRefused)
      })
    }
  }

  /** Gives some records of a kind another value in one field, in one write. Their old values by id. */
  async function edit(kind: string, field: string): Promise<Map<number, unknown>> {
    const { value } = await services.committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
      const before = new Map<number, unknown>()
      for (const row of someRows(kind)) {
        const value = otherValues(kind, field, row, services).find((value) =>
          amended(transaction, kind, row.id, field, value),
        )
        if (value !== undefined) before.set(row.id, row[field])
      }
      return before
    })
    return value
  }

  /** The same without asking the rules, as an entry of another instance. */
  async function journal(kind: string, field: string, before: Map<number, unknown>): Promise<void> {
    const rows = someRows(kind).slice(0, 1)
    for (const row of rows) before.set(row.id, row[field])
    await append(kind, field, new Map(rows.map((row) => [row.id, otherValues(kind, field, row, services)[0]])))
  }

  async function append(kind: string, field: string, values: ReadonlyMap<number, unknown>): Promise<void> {
    const { store, committer, workingSet } = services
    const [newest] = await store.entriesAfter(workingSet.revision - 1, 1)
    const changes = [...values].map(([id, value]) => {
      const before = workingSet.get(kind, id) as Row
      return { kind, id, before, after: { ...before, [field]: value } }
    })
    const revision = workingSet.revision + 1
    await store.append([{ ...newest!, revision, requestId: randomUUID(), changes, log: [] }])
    await committer.catchUp(revision)
  }

  async function putBack(
    kind: string,
    field: string,
    before: ReadonlyMap<number, unknown>,
    isRefused: boolean,
  ): Promise<void> {
    if (isRefused) return append(kind, field, before)
    await services.committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
      for (const [id, value] of before) amended(transaction, kind, id, field, value)
    })
  }

  function amended(transaction: Transaction, kind: string, id: number, field: string, value: unknown): boolean {
    try {
      const options = { mode: 'patch', data: transaction.data, managed: true } as const
      const read = readBody(services.catalogue.of(kind), { [field]: value }, options)
      return read.faults.length === 0 && transaction.tryUpdate(kind, id, read.values).faults.length === 0
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  /** A few of a kind; of parameters, one for each file they are in. */
  function someRows(kind: string): Row[] {
    const rows = services.workingSet.allIds(kind).map((id) => services.workingSet.get(kind, id) as Row)
    const rooms = new Map(rows.map((row) => [kind === 'parameters' ? row.configFile : row.id, row]))
    const distinct = [...rooms.values()]
    const step = kind === 'parameters' ? 1 : Math.max(1, distinct.length / 10)
    return Array.from({ length: Math.ceil(distinct.length / step) }, (_, i) => distinct[Math.floor(i * step)]!)
  }

  async function compareAll(when: string): Promise<void> {
    const jobs = [...telling(fleetJobs(services)), ...documentJobs(services)]
    const served = await Promise.all(jobs.map((job) => servedHash(job, services)))
    const differing = jobs.filter((job, at) => served[at] !== freshHash(job, services))
    expect(differing, when).to.deep.equal([])
    await compareAnswers(when)
  }

  /** Of files that many servers have, those of two servers for each place they can be at. */
  function telling(jobs: readonly CompileJob[]): CompileJob[] {
    const groups = new Map<string, CompileJob[]>()
    for (const job of jobs) {
      const server = job.scope === 'servers' ? services.data.get('servers', job.subjectId) : undefined
      const key = `${job.scope} ${job.file} ${server?.cdnId} ${server?.typeId}`
      groups.set(key, [...(groups.get(key) ?? []), job])
    }
    return [...groups.values()].flatMap((group) => group.slice(0, 2))
  }

  /** What is asked over HTTP, cached responses included, against what is made of the data now. */
  async function compareAnswers(when: string): Promise<void> {
    const { data } = services
    const caches = new Map(data.all('servers').map((one) => [`${one.cdnId} ${one.typeId} ${one.profileId}`, one]))
    for (const { id } of caches.values()) {
      const { body } = await server.get(`/api/1.3/servers/${id}/configfiles/cachesw`)
      expect(body, `listing of ${id} ${when}`).to.deep.equal(
        listing(asReader(data), id, '1.3', serviceUrl(services.settings)),
      )
    }
    for (const { name } of data.all('cdns')) {
      for (const [document, path] of documents) {
        const { text } = await server.get(`/api/1.3/cdns/${name}/${path}`)
        const input = {
          params: { name },
          query: {},
          body: undefined,
          version: '1.3',
          user: system,
          headers: {},
          address: '127.0.0.1',
          requestId: 'every-field',
        } as const
        const { raw } = await liveAnswer(document, input, services)
        expect(text === Buffer.from(raw!.body).toString(), `${path} of ${name} ${when}`).to.equal(true)
      }
    }
  }
})

const documents = [
  ['CRConfig', 'snapshot/new'],
  ['monitoring', 'configs/monitoring'],
  ['routing', 'configs/routing'],
] as const
