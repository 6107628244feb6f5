import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { expect } from 'chai'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'

/** A registration token lets its holder in: who gets it, for whom, and how often. */
describe('invitations', () => {
  let server: TestServer
  let time = Date.parse('2035-01-01T00:00:00Z')
  const ids = new Map<string, number>()
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer({ now: () => new Date(time) })
    for (const list of ['tenants', 'roles']) {
      for (const { id, name } of (await server.ok('GET', `/api/1.3/${list}`)).body.response) ids.set(name, id)
    }
  })
  after(() => server.close())

  const invite = (client: Client, email: string, role = 'read-only', tenant = 'media-house') =>
    client.request('POST', '/api/1.3/users/register', { email, role: ids.get(role), tenantId: ids.get(tenant) })
  const enter = (t: string) => server.anonymous.request('POST', '/api/1.3/user/login/token', { t })
  const invited = async (email: string): Promise<string> => (await invite(server, email)).body.response.token

  it('are used once, whatever becomes of the login', async () => {
    const token = await invited('once@example.net')
    expect((await enter(token)).status).to.equal(200)
    for (let again = 0; again < 3; again++) expect((await enter(token)).status).to.equal(401)
  })

  it('let one of many in that come at once', async () => {
    for (let round = 0; round < 5; round++) {
      const token = await invited(`race-${round}@example.net`)
      const answers = await Promise.all(Array.from({ length: 8 }, () => enter(token)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(7).fill(401)])
    }
  })

  it('are in the change log with their end, in one entry', async () => {
    const token = await invited('logged@example.net')
    const since = (await server.get('/readyz')).body.revision
    await enter(token)
    const { response } = (await server.ok('GET', `/api/1.3/changes?since=${since}`)).body
    expect(response).to.have.length(1)
    expect(response[0].log[0].message).to.match(/logged in with a one-time token/)
    expect(response[0].changes[0]).to.nested.include({ kind: 'users', 'after.tokenHash': null })
  })

  it('that another tenant has sent out are neither taken over nor told of', async () => {
    const root = server
    const email = 'theirs@example.net'
    const { token } = (await invite(root, email, 'operations')).body.response
    await invite(root, 'come@example.net')
    const [come] = (await root.ok('GET', '/api/1.3/users?email=come@example.net')).body.response
    await root.ok('PUT', `/api/1.3/users/${come.id}`, { ...come, newUser: false })
    const before = (await root.ok('GET', `/api/1.3/users?email=${email}`)).body.response
    for (const role of ['operations', 'admin']) {
      const operator = await server.as(role, { tenant: 'software-vendor', username: `${role}-of-vendor-${time}` })
      const pending = await invite(operator, email, 'read-only', 'software-vendor')
      const complete = await invite(operator, 'come@example.net', 'read-only', 'software-vendor')
      expect(pending.status, pending.text).to.equal(409)
      expect(pending.body.response).to.equal(undefined)
      expect(complete.text.replace('come@', 'theirs@'), 'pending or come: the same answer').to.equal(pending.text)
    }
    expect((await root.ok('GET', `/api/1.3/users?email=${email}`)).body.response).to.deep.equal(before)
    expect((await enter(token)).status).to.equal(200)
  })

  it('give no role above that of who invites, nor are those of such a role sent anew by them', async () => {
    const root = server
    const operator = await server.as('operations', { tenant: 'media-house', username: `operator-${time}` })
    expect((await invite(operator, 'above@example.net', 'admin')).status).to.equal(400)
    const { token } = (await invite(root, 'boss@example.net', 'admin')).body.response
    const taken = await invite(operator, 'boss@example.net', 'read-only')
    expect([taken.status, taken.body.response]).to.deep.equal([403, undefined])
    expect((await enter(token)).status).to.equal(200)
  })

  it('end with the address they were sent to, and with a new password, whoever gives them', async () => {
    for (const [at, change] of [
      { email: 'elsewhere@example.net' },
      { localPassword: 'another-Password-of-1', confirmLocalPassword: 'another-Password-of-1' },
    ].entries()) {
      const email = `moved-${at}@example.net`
      const token = await invited(email)
      const [user] = (await server.ok('GET', `/api/1.3/users?email=${email}`)).body.response
      await server.ok('PUT', `/api/1.3/users/${user.id}`, { ...user, ...change })
      expect((await enter(token)).status).to.equal(401)
    }
    const token = await invited('stays@example.net')
    const [user] = (await server.ok('GET', '/api/1.3/users?email=stays@example.net')).body.response
    await server.ok('PUT', `/api/1.3/users/${user.id}`, { ...user, fullName: 'Somebody Else' })
    expect((await enter(token)).status).to.equal(200)
  })

  it('end with the next one, and after a day', async () => {
    const first = await invited('twice@example.net')
    const second = await invited('twice@example.net')
    expect((await enter(first)).status).to.equal(401)
    time += 25 * 3600 * 1000
    const late = await server.login(server.admin.username, server.admin.password)
    expect((await enter(second)).status).to.equal(401)
    expect((await enter('no-such-token')).status).to.equal(401)
    await late.ok('GET', '/api/1.3/cdns')
  })
})

describe('invitations by mail', () => {
  let mails: string[]
  let takes: boolean
  let smtp: Server
  let server: TestServer
  before(async () => {
    mails = []
    takes = true
    smtp = createServer(mailServer)
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.address() as { port: number }
    server = await buildServer({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  })
  after(async () => {
    await server.close()
    smtp.close()
  })

  /** As much of SMTP as it takes to get a mail, or to refuse one. */
  function mailServer(socket: Socket): void {
    let isText = false
    let text = ''
    socket.setEncoding('utf8').on('error', () => socket.destroy())
    socket.write('220 here\r\n')
    socket.on('data', (piece) => {
      text += piece
      for (
        let end = text.indexOf(isText ? '\r\n.\r\n' : '\r\n');
        end >= 0;
        end = text.indexOf(isText ? '\r\n.\r\n' : '\r\n')
      ) {
        const said = text.slice(0, end)
        text = text.slice(end + (isText ? 5 : 2))
        if (isText) mails.push(said)
        const word = isText ? '' : said.slice(0, 4).toUpperCase()
        isText = word === 'DATA'
        if (word === 'RCPT' && !takes) socket.write('550 nobody of that name\r\n')
        else socket.write(word === 'DATA' ? '354 go on\r\n' : word === 'QUIT' ? '221 bye\r\n' : '250 taken\r\n')
      }
    })
  }

  const invite = async (email: string) => {
    const [role] = (await server.ok('GET', '/api/1.3/roles?name=portal')).body.response
    const { body } = await server.ok('POST', '/api/1.3/users/register', { email, role: role.id, tenantId: 1 })
    const [user] = (await server.ok('GET', `/api/1.3/users?email=${email}`)).body.response
    return { alert: body.alerts[0], token: body.response?.token as string | undefined, sent: user.registrationSent }
  }
  const enters = async (t: string) =>
    (await server.anonymous.request('POST', '/api/1.3/user/login/token', { t })).status

  it('are said to be sent when the mail server has taken them, and show nobody else the token', async () => {
    const { alert, token, sent } = await invite('taken@example.net')
    expect([alert.level, token]).to.deep.equal(['success', undefined])
    expect(alert.text).to.match(/^Sent user registration to taken@example\.net/)
    expect(sent).to.be.a('string')
    const [, mailed = ''] = /registration: ([\w-]+)/.exec(mails.at(-1)!.replaceAll('=\r\n', ''))!
    expect(await enters(mailed)).to.equal(200)
  })

  it('give the token to whoever asked, and say so, when the server refuses or is away', async () => {
    takes = false
    for (const how of ['refuses', 'away']) {
      if (how === 'away') await new Promise((resolve) => smtp.close(resolve))
      const { alert, token, sent } = await invite(`${how}@example.net`)
      expect([alert.level, sent], how).to.deep.equal(['warning', null])
      expect(alert.text).to.contain('could not be sent')
      expect(await enters(token!), how).to.equal(200)
    }
    const reset = await server.anonymous.request('POST', '/api/1.3/user/reset_password', { email: 'away@example.net' })
    expect(reset.body, 'a stranger').to.have.all.keys('alerts')
    expect(reset.text).to.not.contain('token')
  })
})
