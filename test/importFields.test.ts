import { expect } from 'chai'
import { resources } from '../api/routes/resources.js'
import type { TestServer } from './build.js'
import { sampleServer } from './sampleServer.js'

/** A field that no record of the kind has is a mistake, never passed over; what answers show may be sent back. */
describe('the fields of an import document', () => {
  let app: TestServer
  before(async () => {
    app = await sampleServer()
  })
  after(() => app.close())

  const post = (document: unknown) => app.request('POST', '/api/1.3/import?dryRun=true', document)
  const faults = async (document: unknown): Promise<string[]> => {
    const answer = await post(document)
    return answer.status === 200 ? [] : answer.body.alerts.map(({ text }: { text: string }) => text)
  }

  for (const { kind } of resources.filter(({ transient }) => !transient)) {
    it(`an unknown one is a fault: ${kind}`, async () => {
      const texts = await faults({ [kind]: [{ colour: 'blue' }] })
      expect(texts[0]).to.match(new RegExp(`^${kind}\\[0\\]: unknown field 'colour'; known: .`))
    })
  }

  it('whatever its name means to JavaScript', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
      const texts = await faults(`{"divisions":[{"name":"d",${JSON.stringify(name)}:1}]}`)
      expect(texts, name).to.deep.equal([`divisions[0]: unknown field '${name}'; known: name`])
    }
  })

  it('so many, so long, so deep: the answer stays small', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`${'x'.repeat(500)}${at}`, at]))
    const answer = await post({ divisions: [{ name: 'd', ...many }] })
    expect(answer.status).to.equal(400)
    expect(answer.text.length).to.be.lessThan(10_000)
    const deep = `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`
    expect(await faults(`{"divisions":[{"name":${deep}}]}`)).to.deep.equal(['divisions[0]: name must be a string'])
    expect(await faults(`{"divisions":[{"name":"d","more":${deep}}]}`)).to.have.length(1)
  })

  it('numbers that are none', async () => {
    for (const number of ['1e400', '-1e400', '1e99', '0.5', '-1', '"NaN"', '"Infinity"', '1e-7']) {
      const texts = await faults(`{"servers":[{"tcpPort":${number}}],"divisions":[{"id":${number},"name":"odd"}]}`)
      expect(
        texts.some((text) => text.startsWith('servers[0]: tcpPort ')),
        number,
      ).to.equal(true)
      expect(texts, number).to.include('divisions[0]: id must be a whole number from 1 to 2147483647')
    }
  })

  const lists = resources.flatMap(({ kind, routes, transient }) => {
    const list = routes
      .map((route) => route(resources.find((one) => one.kind === kind)!))
      .find(({ method, path }) => method === 'GET' && !path.includes(':'))
    return list && !transient ? [{ kind, path: list.path }] : []
  })

  for (const { kind, path } of lists) {
    it(`what 1.3 shows of ${kind} has no unknown ones`, async () => {
      const answer = await app.get(`/api/1.3${path}?limit=20`)
      if (answer.status !== 200 || !Array.isArray(answer.body.response)) return
      // Some lists show something else than the records one by one.
      const rows = answer.body.response.filter((row: object) => 'id' in row)
      const texts = await faults({ [kind]: rows })
      expect(texts.filter((text) => text.includes('unknown field'))).to.deep.equal([])
    })
  }
})
