import { expect } from 'chai'
import { system } from '../api/schema/privileges.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

describe('a password reset', () => {
  let server: TestServer
  before(async () => {
    server = await buildServer({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    await server.as('operations', { username: 'forgetful' })
  })
  after(() => server.close())

  it('tells nobody whether the address is known: not by its answer, by the time it takes, nor by the revision', async () => {
    const { committer, data } = server.service.services
    const hash = () => data.by('users', 'username', 'forgetful')[0]!.tokenHash
    let isDone = false
    const long = committer.writeInSteps({ user: system, requestId: 'long' }, function* () {
      while (!isDone) yield
    })
    const ask = (email: string) => server.anonymous.request('POST', '/api/1.3/user/reset_password', { email })
    const known = await ask('forgetful@example.net')
    const unknown = await ask('forgetless@example.net')
    expect(hash(), 'it is answered before it is written').to.equal(null)
    isDone = true
    await long
    expect([known.status, unknown.status]).to.deep.equal([200, 200])
    expect(known.text.replace('forgetful', '')).to.equal(unknown.text.replace('forgetless', ''))
    for (let tries = 0; tries < 100 && hash() === null; tries++) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(hash()).to.be.a('string')
    expect((await server.anonymous.get('/readyz')).body)
      .to.include({ status: 'ok' })
      .and.to.not.have.property('revision')
    expect((await server.get('/readyz')).body).to.include({ revision: server.service.services.workingSet.revision })
  })
})
