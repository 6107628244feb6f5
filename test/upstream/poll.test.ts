import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { createFetchJson } from '../../api/operations/upstream/fetchJson.js'
import { readStates } from '../../api/operations/upstream/monitorDocuments.js'
import { createPoll } from '../../api/operations/upstream/poll.js'
import { allGood, firstGood } from '../../api/operations/upstream/seen.js'
import type { Played } from './upstreams.js'
import { documents, play, silent, status, text } from './upstreams.js'

const path = '/publish/CrStates'
const saying = (...hosts: string[]) =>
  documents({ [path]: { caches: Object.fromEntries(hosts.map((host) => [host, { isAvailable: true }])) } })

describe('polling upstreams', () => {
  let clock = 1_000_000
  const now = () => clock
  const newPoll = () => {
    const fetchJson = createFetchJson({ timeout: 150, bytes: 100_000 })
    return createPoll({
      ask: async (upstream) => readStates(await fetchJson(upstream, path)),
      now,
      fresh: 5000,
      rest: 2000,
      keep: 60_000,
    })
  }
  let poll = newPoll()
  const open: Played[] = []
  const playing = async (listener: RequestListener) => {
    const played = await play(listener)
    open.push(played)
    return played
  }
  beforeEach(() => {
    poll = newPoll()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((played) => played.close()))
  })

  it('asks once for any number who ask at the same time', async () => {
    const { upstream, asked: input } = await playing(saying('edge'))
    const all = await Promise.all(Array.from({ length: 50 }, () => poll.read(upstream)))
    expect(input).to.have.length(1)
    expect(all.every(({ good, fault }) => good?.value.caches.get('edge') === true && fault === null)).to.equal(true)
  })

  it('asks again only after some seconds', async () => {
    const { upstream, asked: input } = await playing(saying('edge'))
    await poll.read(upstream)
    clock += 4999
    await poll.read(upstream)
    expect(input).to.have.length(1)
    clock += 1
    await poll.read(upstream)
    expect(input).to.have.length(2)
  })

  it('asks again when the clock went back', async () => {
    const { upstream, asked: input } = await playing(saying('edge'))
    await poll.read(upstream)
    clock -= 3_600_000
    await poll.read(upstream)
    expect(input).to.have.length(2)
  })

  it('lets a failed one rest, and tells its last good answer until that is too old', async () => {
    const played = await playing(saying('edge'))
    await poll.read(played.upstream)
    played.become(status(503))
    clock += 10_000
    const failed = await poll.read(played.upstream)
    expect(failed.fault).to.equal('answered with status 503')
    expect(failed.good!.at).to.equal(clock - 10_000)
    clock += 1999
    await poll.read(played.upstream)
    expect(played.asked).to.have.length(2)
    clock += 60_000
    expect((await poll.read(played.upstream)).good).to.equal(null)
    expect(played.asked).to.have.length(3)
  })

  it('recovers with the upstream', async () => {
    const played = await playing(text('half of'))
    expect((await poll.read(played.upstream)).good).to.equal(null)
    played.become(saying('edge'))
    clock += 2000
    expect(await poll.read(played.upstream)).to.have.property('fault', null)
  })

  it('tells the age of what it knows', async () => {
    const { upstream } = await playing(saying('edge'))
    await poll.read(upstream)
    clock += 700
    expect(poll.ages()).to.deep.equal([{ name: 'played.example.net', age: 700, fault: null }])
  })

  it('hides no error of ours', async () => {
    const { upstream } = await playing(saying('edge'))
    const ask = async () => {
      throw new TypeError('a mistake')
    }
    const error = await createPoll({ ask, now })
      .read(upstream)
      .catch((error) => error)
    expect(error).to.be.instanceOf(TypeError)
  })

  describe('of several monitors', () => {
    const seen = (...monitors: Played[]) =>
      firstGood(
        { name: 'demo', monitors: monitors.map(({ upstream }, at) => ({ ...upstream, name: `m${at + 1}` })) },
        poll,
        now,
      )

    it('asks only the first while it answers', async () => {
      const [first, second] = [await playing(saying('edge')), await playing(saying('edge'))]
      const { value, age, warnings } = await seen(first, second)
      expect([value!.caches.size, age, warnings]).to.deep.equal([1, 0, []])
      expect(second.asked).to.have.length(0)
    })

    it('asks the next when one fails, and says so', async () => {
      const [slow, lying, good] = [
        await playing(silent),
        await playing(text('{"caches":[]}')),
        await playing(saying('e')),
      ]
      const { value, warnings } = await seen(slow, lying, good)
      expect(value!.caches.get('e')).to.equal(true)
      expect(warnings).to.deep.equal([
        'Traffic monitor m1 of CDN demo did not answer within 0.15 s.',
        'Traffic monitor m2 of CDN demo sent a list of caches that is not an object.',
      ])
    })

    it('tells the newest of what they said before when all fail, with its age', async () => {
      const [first, second] = [await playing(saying('old')), await playing(saying('new'))]
      await seen(first, second)
      clock += 20_000
      first.become(status(503))
      await seen(first, second)
      clock += 7000
      second.become(status(500))
      const { value, age, warnings } = await seen(first, second)
      expect([...value!.caches.keys()]).to.deep.equal(['new'])
      expect(age).to.equal(7000)
      expect(warnings.at(-1)).to.equal('What is told of CDN demo was said 7 s ago.')
    })

    it('knows nothing when none ever answered', async () => {
      const { value, warnings } = await seen(await playing(status(503)))
      expect(value).to.equal(null)
      expect(warnings.at(-1)).to.equal('Nothing is known of CDN demo.')
    })

    it('knows nothing without one', async () => {
      expect(await seen()).to.deep.equal({
        value: null,
        age: 0,
        warnings: ['CDN demo has no traffic monitor that is ONLINE; nothing is known.'],
      })
    })
  })

  describe('of all routers', () => {
    const seen = (...routers: Played[]) =>
      allGood(
        { name: 'demo', routers: routers.map(({ upstream }, at) => ({ ...upstream, name: `r${at + 1}` })) },
        poll,
        now,
      )

    it('takes those that answer, and what the others said before', async () => {
      const [steady, fading, dead] = [
        await playing(saying('a')),
        await playing(saying('b')),
        await playing(status(500)),
      ]
      await seen(steady, fading, dead)
      clock += 30_000
      fading.become(status(503))
      const { value, age, warnings } = await seen(steady, fading, dead)
      expect(value).to.have.length(2)
      expect(age).to.equal(30_000)
      expect(warnings).to.deep.equal([
        'Traffic router r2 of CDN demo answered with status 503; what it said 30 s ago is counted.',
        'Traffic router r3 of CDN demo answered with status 500; it is not counted.',
      ])
    })

    it('asks them all at once', async () => {
      let waiting = 0
      let most = 0
      const together: RequestListener = (_, response) => {
        waiting++
        most = Math.max(most, waiting)
        if (waiting === 3) for (const end of ends.splice(0)) end()
        else ends.push(() => response.end('{"caches":{}}'))
        if (waiting === 3) response.end('{"caches":{}}')
      }
      const ends: (() => void)[] = []
      const { value } = await seen(await playing(together), await playing(together), await playing(together))
      expect([value.length, most]).to.deep.equal([3, 3])
    })
  })
})
