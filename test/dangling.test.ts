import { expect } from 'chai'
import type { TestServer } from './build.js'
import { everyWrite } from './everyWrite.js'
import { sampleServer } from './sampleServer.js'

/** Ids and names of records as bodies give them. */
const references =
  /^(?!xmpp|xmlId).*Ids?$|^(role|division|cdn|servers|deliveryServices|serverNames|capabilities|deliveryService)$/

/** What every route says of a reference to a record that is not there. */
describe('references to what is not there', () => {
  let server: TestServer
  before(async () => {
    server = await sampleServer()
  })
  after(() => server.close())

  it('are refused in the same words by every route', async () => {
    const said = new Map<string, string>()
    for await (const { route, path, body } of everyWrite(server)) {
      const [method = ''] = route.split(' ')
      const fields = isObject(body) ? Object.entries(body).filter(([field]) => references.test(field)) : []
      if (route === 'POST /users/register') continue
      for (const [field, value] of fields) {
        const dry = `${path}${path.includes('?') ? '&' : '?'}dryRun=true`
        const answer = await server.request(method, dry, { ...(body as object), [field]: elsewhere(value) })
        // Empty lists, and what the path says already.
        if (answer.status !== 200) said.set(`${route} ${field}`, `${answer.status} ${answer.body.alerts?.[0]?.text}`)
      }
      await server.request(method, path, body)
    }
    const others = [...said].filter(([, text]) => !agreed.test(text)).map((pair) => pair.join(': '))
    expect(said.size).to.be.above(30)
    expect(others.sort()).to.deep.equal(own)
  }).timeout(60_000)
})

const agreed = /^40[04] (\[0\] )?[\w.]+: there is no [\w -]+ (with id 9999999|'nowhere')$/

/** What the interface words itself, or where the reference has to be another record's own. */
const own: readonly string[] = [
  'POST /cachegroups/:id/queue_update cdn: 400 cdn does not exist',
  'POST /deliveryservices/sslkeys/add cdn: 400 cdn: delivery service written belongs to CDN stream, not nowhere',
  'POST /deliveryservices/sslkeys/generate cdn: 400 cdn: delivery service written belongs to CDN stream, not nowhere',
]

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

function elsewhere(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(elsewhere)
  return typeof value === 'number' ? 9_999_999 : 'nowhere'
}
