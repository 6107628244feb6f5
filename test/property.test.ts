import { expect } from 'chai'
import type { Parts } from '../api/operations/parts.js'
import type { CompileJob } from '../compiler/core/compile.js'
import { sha256 } from '../compiler/core/fileBody.js'
import type { TestServer } from './build.js'
import { documentJobs, fleetJobs, freshHash, servedHash } from './fleetJobs.js'
import { pick, randomWrite, seeded } from './randomWrites.js'
import { sampleServer } from './sampleServer.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'
const steps = nightly ? 10_000 : 150
/** Comparing all files after every step would be most of the time; the rest is compared every so often. */
const comparedPerStep = 12
const allEvery = nightly ? 100 : 75

const everything = (services: Parts): CompileJob[] => [...fleetJobs(services), ...documentJobs(services)]

/** With so little room caches let go of things all the time, and sweep. */
const rooms = { 'as much room as is usual': {}, 'hardly any room to keep things': { CACHE_MB: '4' } }

for (const [room, env] of Object.entries(rooms))
  describe(`any sequence of writes (${steps} steps), ${room}`, function () {
    this.timeout(nightly ? 3_600_000 : 180_000)
    let server: TestServer
    before(async () => {
      server = await sampleServer({ env })
    })
    after(() => server.close())

    it('leaves every served file and document equal to a fresh compile, and their warnings', async () => {
      const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
      const random = seeded(seed)
      const { services } = server.service
      let jobs = everything(services)
      const history: string[] = []
      const compare = async (job: CompileJob) => {
        const served = await servedHash(job, services)
        const said = `seed ${seed}, step ${history.length}: ${job.scope} ${job.subjectId} ${job.file} after ${history.slice(-3).join(', ')}`
        const fresh = freshHash(job, services)
        expect(served, said).to.equal(fresh)
        if (job.file.includes('/') || fresh === 'missing') return
        const sent = await server.get(`/api/1.3/${job.scope}/${job.subjectId}/configfiles/cachesw/${job.file}`)
        // Left out where the file would be asked for in another scope by now.
        if (sent.status === 200) expect(fresh.split('\n')[0], `${said}, sent`).to.equal(sha256(Buffer.from(sent.text)))
      }
      for (const job of jobs) await compare(job)
      let kept = 0
      for (let step = 1; step <= steps; step++) {
        const done = await randomWrite(services, random)
        if (done === null) continue
        kept += 1
        history.push(done)
        if (step % allEvery === 0) {
          jobs = everything(services)
          for (const job of jobs) await compare(job)
        } else {
          for (let i = 0; i < comparedPerStep; i++) await compare(pick(random, jobs))
          // What is kept for whole CDNs is in the documents, which are few among the files.
          await compare(pick(random, documentJobs(services)))
        }
      }
      // A test whose writes are all refused would show nothing.
      expect(kept).to.be.greaterThan(steps / 4)
      const { compiles, hits } = services.artifacts.counts()
      expect(hits).to.be.greaterThan(compiles / 4)
    })
  })
