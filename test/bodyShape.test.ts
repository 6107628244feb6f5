import { expect } from 'chai'
import { buildServer, type TestServer } from './build.js'

describe('a body that is easier to send than to parse', () => {
  let app: TestServer

  before(async () => {
    app = await buildServer()
  })

  after(() => app.close())

  const refusal = async (body: unknown) => {
    const answer = await app.request('POST', '/api/1.3/parameters', body)
    expect(answer.status).to.equal(400)
    return answer.body.alerts[0].text as string
  }

  it('has objects of a bounded number of members together, whatever their shapes', async () => {
    const many = Array.from({ length: 40_001 }, (_, at) => ({ [`n${at}`]: 1 }))
    expect(await refusal(many)).to.equal('The objects of the request body have more than 40000 members together.')
    // One less is read, and refused for what it says.
    expect(await refusal(many.slice(1))).to.equal('The body must have at most 10000 elements.')
  })

  it('may have as many colons in its texts as it likes', async () => {
    const value = ':'.repeat(50_000)
    const answer = await app.request('POST', '/api/1.3/parameters', { name: 'x', configFile: 'f.config', value })
    expect(answer.body.alerts[0].text).not.to.include('members')
  })
})
