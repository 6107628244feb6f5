import { expect } from 'chai'
import type { MeasuredFleet } from './measuredFleet.js'
import { measuredFleet } from './measuredFleet.js'
import { routes } from './routes.js'

describe('the event loop', function () {
  this.timeout(300_000)
  let url: string
  let revision: number
  let cookie: string
  let fleet: MeasuredFleet
  let ask: MeasuredFleet['ask']
  let holdsNobodyUp: MeasuredFleet['holdsNobodyUp']

  before(async () => {
    fleet = await measuredFleet('L')
    ;({ url, revision, cookie, ask, holdsNobodyUp } = fleet)
  })
  after(() => fleet.close())

  it('is free while watchers come back who are thousands of events behind', () =>
    holdsNobodyUp('five watchers', async () => {
      const watch = async () => {
        const { body } = await fetch(`${url}/api/1.3/watch?since=0`, { headers: { cookie } })
        const decoder = new TextDecoder()
        let seen = 0
        for await (const chunk of body!) {
          seen += decoder.decode(chunk, { stream: true }).split('id: ').length - 1
          if (seen >= revision) return
        }
      }
      await Promise.all([1, 2, 3, 4, 5].map(watch))
    }))

  it('is free while the log is read, counted and searched', async () => {
    await holdsNobodyUp('200,000 lines', () => ask('GET', '/api/1.3/logs?limit=200000'))
    await holdsNobodyUp('lines there are none of', () => ask('GET', '/api/1.3/logs?user=another&level=OPER'))
    await holdsNobodyUp('how many are new', () =>
      ask('GET', '/api/1.3/logs/newcount', undefined, { cookie: `${cookie}; last_seen_log=2020-01-01T00:00:00.000Z` }),
    )
  })

  it('is free while an entry of 75,000 changes is read', () =>
    holdsNobodyUp('changes', () => ask('GET', '/api/1.3/changes?limit=1000')))

  it('is free while everything is exported', () => holdsNobodyUp('export', () => ask('GET', '/api/1.3/export')))

  it('is free while long lists are made', async () => {
    const lists = routes.filter(
      ({ method, path, changes, unversioned, response }) =>
        method === 'GET' && !changes && !unversioned && response?.type === 'array' && !/:|changes|logs/.test(path),
    )
    expect(lists.length).to.be.greaterThan(25)
    const lengths: string[] = []
    // Another URL in each round: what was made once is kept.
    await Promise.all(lists.map(({ path }) => ask('GET', `/api/1.3${path}?limit=1`)))
    for (const { path } of lists) {
      await holdsNobodyUp(path, async (round) => {
        const { status, length } = await ask('GET', `/api/1.3${path}?limit=${100_000 + round}`)
        expect(status, path).to.be.oneOf([200, 400])
        if (length > 1_000_000) lengths.push(path)
      })
    }
    expect(new Set(lengths).size, 'lists of more than a megabyte').to.be.at.least(3)
  })

  it('is free while what is written all the time is read', async () => {
    const { id } = await fleet.made('divisions', { name: 'written all the time' })
    let written = 0
    const amongWrites = async (act: () => Promise<{ status: number; length: number }>) => {
      let isDone = false
      const writing = [1, 2].map(async () => {
        for (; !isDone; written++) {
          const body = JSON.stringify({ name: `written all the time ${written % 2}` })
          expect(await ask('PUT', `/api/1.3/divisions/${id}`, body)).to.include({ status: 200 })
        }
      })
      const before = written
      try {
        const { status, length } = await act()
        expect(status).to.equal(200)
        expect(written - before, 'writes meanwhile').to.be.greaterThan(2)
        return length
      } finally {
        isDone = true
        await Promise.all(writing)
      }
    }
    await holdsNobodyUp('a list', async (round) => {
      const length = await amongWrites(() => ask('GET', `/api/1.3/divisions?limit=${200_000 + round}`))
      expect(length).to.be.greaterThan(5_000_000)
    })
    const body = JSON.stringify({ divisions: [{ name: 'only tried' }] })
    await holdsNobodyUp('a dry run', () => amongWrites(() => ask('POST', '/api/1.3/import?dryRun=true', body)))
  })

  it('is free while bodies come that no record needs', async () => {
    const many = (count: number, text: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => text(at)).join()
    const bodies = {
      'a deep body': '['.repeat(500_000) + ']'.repeat(500_000),
      'a deep body that breaks off': '{"a":'.repeat(200_000),
      'very many members': `{"name":"x",${many(80_000, (at) => `"m${at}":1`)}}`,
      'very many elements': `[${many(90_000, () => '{"a":1}')}]`,
      'a long text': `{"name":"${'\\u00e9'.repeat(150_000)}"}`,
      'a long list of ids': `{"dsId":1,"servers":[${many(150_000, (at) => String(at))}],"replace":true}`,
    }
    const paths = ['divisions', 'parameters', 'servers', 'deliveryserviceserver', 'deliveryservices', 'users', 'import']
    for (const [what, body] of Object.entries(bodies)) {
      for (const path of paths) {
        const { status } = await ask('POST', `/api/1.3/${path}`, body)
        expect(status, `${path}: ${what}`).to.be.within(400, 413)
        await holdsNobodyUp(`${path}: ${what}`, () => ask('POST', `/api/1.3/${path}`, body))
      }
    }
  })

  it('is free while queries come that nothing needs', () =>
    holdsNobodyUp('queries', async () => {
      await ask('GET', `/api/1.3/divisions?${'name=x&'.repeat(2000)}`)
      await ask('GET', `/api/1.3/servers?${Array.from({ length: 1500 }, (_, at) => `q${at}=1`).join('&')}`)
      await ask('GET', `/api/1.3/servers/status?type=${encodeURIComponent('(a+)+'.repeat(50))}`)
    }))

  it('is free while the documents of a large CDN are made, frozen and compared', async () => {
    for (const path of ['configs/monitoring', 'configs/routing', 'snapshot/new']) {
      await holdsNobodyUp(path, async () => {
        // One change makes the next answer a new one.
        await ask('PUT', '/api/1.3/cdns/2', JSON.stringify({ name: 'fleet', domainName: `${Date.now()}.example.net` }))
        expect((await ask('GET', `/api/1.3/cdns/fleet/${path}`)).status).to.equal(200)
      })
    }
    await holdsNobodyUp('freezing', () => ask('PUT', '/api/1.3/snapshot/fleet'))
    await holdsNobodyUp('comparing', () => ask('GET', '/api/1.3/cdns/fleet/snapshots/diff?from=1&to=live'))
  })

  it('is free while tens of thousands of records are imported', async () => {
    const imported = (document: object) => async () => {
      expect(await ask('POST', '/api/1.3/import', JSON.stringify(document))).to.include({ status: 200 })
    }
    const named = (kind: string, count: number, round: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `imported ${kind} ${round}-${at}` }))
    await holdsNobodyUp('divisions', (round) => imported({ divisions: named('division', 20_000, round) })())
    await holdsNobodyUp('parameters', (round) =>
      imported({
        parameters: named('parameter', 5000, round).map((one) => ({ ...one, configFile: 'x.config', value: 'y' })),
      })(),
    )
  })

  it('is free while updates are queued for every server', () =>
    holdsNobodyUp('queueing', (round) =>
      ask('POST', '/api/1.3/cdns/2/queue_update', JSON.stringify({ action: round % 2 ? 'dequeue' : 'queue' })),
    ))

  it('is free while metrics are read', () => holdsNobodyUp('metrics', () => ask('GET', '/metrics')))
})
