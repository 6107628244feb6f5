import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { serialize } from 'node:v8'
import { expect } from 'chai'
import type { CompileJob } from '../compiler/core/compile.js'
import { join } from '../compiler/core/fileBody.js'
import { compileTemplates } from '../compiler/core/templates.js'
import type { AnyRecord } from '../compiler/data/kindSchema.js'
import { modelSchema } from '../compiler/data/model.js'
import { WorkingSet } from '../compiler/data/workingSet.js'
import type { Pool, TaskTimes } from '../workers/pool.js'
import { createPool } from '../workers/pool.js'
import { Replica } from '../workers/replica.js'
import type { Outcome } from '../workers/results.js'
import { SharedLog } from '../workers/sharedLog.js'
import { childArguments } from './childArguments.js'
import { serviceUrl } from './serviceUrl.js'

const layout = (text: string, generation: number) => compileTemplates({ 'hosts.txt': text }, generation)
const oneByLine = '{{#each hosts}}\n{{this}}\n{{/each}}\n'
const cdn = { id: 1, name: 'orb', domainName: 'orb.example.net', dnssecEnabled: false }
const hostsOf = (subjectId = 1): CompileJob => ({ file: 'hosts.txt', scope: 'cdns', subjectId })
const job = (file: string): CompileJob => ({ file, scope: 'cdns', subjectId: 1 })

interface SomeData {
  readonly workingSet: WorkingSet
  readonly log: SharedLog
  /** Commits one record, as the main thread does. */
  commit(kind: string, id: number, after: object | null): void
}

function someData({ servers = 2, maxLogBytes = 1 << 20 } = {}): SomeData {
  const workingSet = new WorkingSet(modelSchema)
  const records = [
    { kind: 'cdns', record: cdn, revision: 1 },
    ...Array.from({ length: servers }, (_, i) => ({ kind: 'servers', record: server(i + 1), revision: 1 })),
  ]
  workingSet.load(1, records)
  const log = new SharedLog(workingSet, layout(oneByLine, 1), maxLogBytes)
  const commit = (kind: string, id: number, after: object | null) => {
    const entry = { revision: workingSet.revision + 1, changes: [{ kind, id, after: after as AnyRecord | null }] }
    workingSet.apply(entry)
    log.append(entry)
  }
  return { workingSet, log, commit }
}

const server = (id: number, hostName = `edge${id}`) => ({
  id,
  hostName,
  cdnId: 1,
  typeId: 1,
  profileId: 1,
  cachegroupId: 1,
})

function textOf(outcome: Outcome | undefined): string {
  if (outcome?.state !== 'compiled') throw new Error(`not compiled: ${JSON.stringify(outcome)}`)
  return Buffer.from(join(outcome.body)).toString()
}

describe('the compiling threads', () => {
  const pools: Pool[] = []
  const deaths = new Uint8Array(new SharedArrayBuffer(1))

  interface Given {
    workers?: number
    module?: string
    longest?: number
    onTask?: (times: TaskTimes) => void
  }

  function pool(log: SharedLog, { workers = 1, module = 'thread', longest, onTask }: Given = {}) {
    const thread = pathToFileURL(childArguments(`test/threads/${module}`).at(-1)!)
    deaths[0] = 0
    const created = createPool({
      workers,
      log,
      vaultKey: deaths,
      serviceUrl,
      partBytes: 2 ** 20,
      thread,
      ...(onTask ? { onTask } : {}),
      ...(longest ? { longest } : {}),
    })
    pools.push(created)
    return created
  }

  afterEach(async () => {
    await Promise.all(pools.splice(0).map((created) => created.close()))
  })

  it('compile from the newest data, whatever was committed just before', async () => {
    const { log, commit } = someData()
    const { run } = pool(log)
    expect(textOf((await run([hostsOf()]))[0])).to.equal('edge1\nedge2\n')
    commit('servers', 3, server(3, 'new'))
    commit('servers', 1, null)
    commit('hwinfo', 9, { id: 9 })
    const [outcome] = await run([hostsOf()])
    expect(textOf(outcome)).to.equal('edge2\nnew\n')
    expect(outcome).to.include({ state: 'compiled', revision: 4 })
  })

  it('answer each job of a task, also when others of them fail', async () => {
    const { log } = someData()
    const outcomes = await pool(log).run([
      job('throws.txt'),
      hostsOf(),
      job('missing.txt'),
      hostsOf(7),
      job('other.txt'),
    ])
    expect(outcomes[0]).to.deep.equal({
      state: 'failed',
      fault: { ...job('throws.txt'), subject: 'orb', reason: 'the view is wrong' },
    })
    expect(textOf(outcomes[1])).to.equal('edge1\nedge2\n')
    expect(outcomes[2]).to.deep.equal({ state: 'missing', text: 'there is no such thing' })
    expect(outcomes[3]).to.deep.equal({ state: 'missing', text: 'hosts.txt does not exist for cdns 7.' })
    expect(outcomes[4]).to.deep.equal({ state: 'missing', text: 'other.txt does not exist for cdns 1.' })
  })

  it('try a task again when the thread dies under it, in a new thread with the same data', async () => {
    const { log, commit } = someData()
    const { run } = pool(log)
    commit('servers', 3, server(3))
    const outcomes = await run([job('dies-once.txt')])
    expect(textOf(outcomes[0])).to.equal('edge1\nedge2\nedge3\n')
    expect(deaths[0]).to.equal(2)
  })

  it('end with their thread what never ends, compile the rest of its task and what waits behind it, and go on', async () => {
    const { log } = someData()
    const { run } = pool(log, { longest: 2000 })
    const behind = Array.from({ length: 5 }, () => [hostsOf()])
    const [[first, hung, last], ...others] = await Promise.all([
      run([hostsOf(), job('hangs.txt'), hostsOf()]),
      ...behind.map((jobs) => run(jobs)),
    ])
    for (const outcome of [first, last, ...others.flat()]) expect(textOf(outcome)).to.equal('edge1\nedge2\n')
    expect(hung).to.deep.equal({
      state: 'failed',
      fault: { ...job('hangs.txt'), subject: 'cdns 1', reason: 'its thread failed twice (no result within 2000 ms)' },
    })
    expect(deaths[0]).to.equal(2)
    expect(textOf((await run([hostsOf()]))[0])).to.equal('edge1\nedge2\n')
  }).timeout(60_000)

  it('say which file kills its thread, compile the rest of its task, and go on', async () => {
    const { log, commit } = someData()
    const { run } = pool(log, { workers: 2 })
    const [first, dead, last] = await run([hostsOf(), job('dies.txt'), hostsOf()])
    expect(textOf(first)).to.equal('edge1\nedge2\n')
    expect(textOf(last)).to.equal('edge1\nedge2\n')
    expect(dead).to.deep.equal({
      state: 'failed',
      fault: { ...job('dies.txt'), subject: 'cdns 1', reason: 'its thread failed twice (worker exited with code: 3)' },
    })
    expect(deaths[0]).to.equal(2)
    commit('servers', 3, server(3))
    expect(textOf((await run([hostsOf()]))[0])).to.equal('edge1\nedge2\nedge3\n')
  })

  it('are given up when none can be started, instead of being waited for', async () => {
    const { log } = someData()
    const { run } = pool(log, { workers: 2, module: 'broken' })
    for (const outcome of await run([hostsOf(), hostsOf()])) {
      expect(outcome).to.have.property('state', 'failed')
      expect(outcome).to.have.nested.property('fault.reason').that.includes('its thread failed twice (')
    }
  })

  it('lay out with the templates of the moment, and recover from one that asks for what no view has', async () => {
    const { log } = someData()
    const { run } = pool(log)
    await run([hostsOf()])
    log.publish(layout('{{nobody}}\n', 2))
    expect((await run([hostsOf()]))[0])
      .to.have.nested.property('fault.reason')
      .that.includes('"nobody" not defined')
    log.publish(layout('fixed {{json hosts}}\n', 3))
    expect(textOf((await run([hostsOf()]))[0])).to.equal('fixed ["edge1","edge2"]\n')
  })

  it('read on in a log that has grown meanwhile', async () => {
    const { log, commit } = someData()
    const { run } = pool(log)
    await run([hostsOf()])
    const before = log.position.log.byteLength
    while (log.position.length < 4 * before) commit('servers', 2, server(2, `edge${log.position.length}`))
    commit('servers', 2, server(2, 'last'))
    expect(log.position.generation).to.equal(1)
    expect(textOf((await run([hostsOf()]))[0])).to.equal('edge1\nlast\n')
  })

  it('start over from a new base when the shared log is full', async () => {
    const { log, commit } = someData({ maxLogBytes: 4096 })
    const { run } = pool(log, { workers: 2 })
    for (let id = 3; id < 60; id++) {
      commit('servers', id, server(id))
      if (id % 7 === 0) {
        const lines = Array.from({ length: id }, (_, i) => `edge${i + 1}\n`).join('')
        expect((await run([hostsOf(), hostsOf()])).map(textOf)).to.deep.equal([lines, lines])
      }
    }
    expect(log.position.generation).to.be.greaterThan(2)
  })

  it('carry 1,000 tasks, and tell of each how long it waited and ran', async () => {
    const { log, commit } = someData()
    const times: TaskTimes[] = []
    const { run } = pool(log, { workers: 2, onTask: (task) => times.push(task) })
    const tasks = Array.from({ length: 1000 }, (_, i) => {
      if (i % 100 === 0) commit('servers', 1, server(1, `round${i / 100}`))
      return run([hostsOf()])
    })
    const texts = (await Promise.all(tasks)).map(([outcome]) => textOf(outcome))
    for (const [i, text] of texts.entries()) {
      const round = Number(/^round(\d)\n/.exec(text)?.[1])
      expect(round).to.be.at.least(Math.floor(i / 100))
    }
    expect(times).to.have.length(1000)
    expect(times.every(({ jobs, ran }) => jobs === 1 && ran >= 0)).to.equal(true)
  })

  it('finish what runs when they are closed, and take nothing more', async () => {
    const { log } = someData()
    const { run, close } = pool(log)
    const running = run([hostsOf()])
    await close()
    expect(textOf((await running)[0])).to.equal('edge1\nedge2\n')
    const refused = await run([hostsOf()]).then(
      () => 'taken',
      (error: Error) => error.message,
    )
    expect(refused).to.equal('the compile pool was closed')
  })

  it('end at any moment of their start, without tearing the process down', async () => {
    await promisify(execFile)(process.execPath, childArguments('test/threads/endings'))
  })

  it('send a body that servers share once', async () => {
    const { log } = someData()
    const [a, b] = await pool(log).run([hostsOf(), hostsOf()])
    expect(a).to.deep.equal({ ...b, milliseconds: (a as { milliseconds: number }).milliseconds })
  })

  it('tell which questions a file asked, when they are to explain it', async () => {
    const { log } = someData()
    const [outcome] = await pool(log).run([hostsOf()], { explain: true })
    expect(outcome)
      .to.have.property('questions')
      .that.deep.equals([
        { kind: 'cdns', ask: 'get', key: '1', found: [1] },
        { kind: 'servers', ask: 'by', index: 'cdnId', key: '1', found: [1, 2] },
      ])
  })

  it('are told in less than 1 KB what to compile', () => {
    const { log } = someData()
    const { base: _, log: __, ...position } = log.position
    const task = { position, jobs: [{ ...hostsOf(), file: `hdr_rw_${'x'.repeat(200)}.config` }], explain: false }
    expect(serialize(task).byteLength).to.be.lessThan(1024)
  })

  it('catch up with one changed record in less than 5 ms, however much they hold', () => {
    const { log, commit } = someData({ servers: 20_000 })
    const replica = new Replica(log.position, 2 ** 20)
    const times = Array.from({ length: 20 }, (_, i) => {
      commit('servers', 7, server(7, `moved${i}`))
      const start = performance.now()
      replica.catchUp(log.position)
      return performance.now() - start
    })
    expect(replica.workingSet.get('servers', 7)).to.deep.include({ hostName: 'moved19' })
    expect(times.sort((a, b) => a - b)[10]).to.be.lessThan(5)
  })

  it('hold only the records and fields that compiles may read', () => {
    const { log, commit } = someData()
    commit('servers', 1, { ...server(1), iloPassword: 'secret' })
    commit('users', 1, { id: 1, username: 'me' })
    const replica = new Replica(log.position, 2 ** 20)
    replica.catchUp(log.position)
    expect(replica.workingSet.get('servers', 1)).not.to.have.property('iloPassword')
    expect(Buffer.from(log.position.log).toString()).not.to.match(/secret|username/)
    expect(replica.workingSet.revision).to.equal(3)
  })
})
