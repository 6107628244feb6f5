import { expect } from 'chai'
import { versions } from '../../api/config/apiVersions.js'
import { sampleCdn } from '../../api/demo/sampleCdn.js'
import { importDocument } from '../../api/operations/transfer/transfer.js'
import { system } from '../../api/schema/privileges.js'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'

/** Whatever a version shows of a record can be sent back as it is, and changes nothing. */
describe('sending back what was read', () => {
  let app: TestServer
  before(async () => {
    app = await buildServer()
    const { committer, catalogue } = app.service.services
    await committer.write({ user: system, requestId: 'sample' }, (transaction) =>
      importDocument(transaction, sampleCdn, catalogue),
    )
  })
  after(() => app.close())

  const paths = [
    'asns',
    'cachegroups',
    'cdns',
    'deliveryservices',
    'divisions',
    'parameters',
    'phys_locations',
    'profiles',
    'regions',
    'servers',
    'statuses',
    'tenants',
    'types',
    'users',
  ]

  for (const path of paths) {
    it(`${path}, in every version`, async () => {
      const rows: { id: number }[] = (await app.ok('GET', `/api/1.3/${path}?limit=40`)).body.response
      expect(rows).not.to.have.length(0)
      for (const { id } of rows) {
        for (const version of versions) {
          const url = `/api/${version}/${path}/${id}`
          const before = (await app.ok('GET', `/api/1.3/${path}/${id}`)).body.response[0]
          const shown = (await app.ok('GET', url)).body.response[0]
          const answer = await app.request('PUT', url, shown)
          expect(answer.status, `${url} ${answer.text}`).to.equal(200)
          expect((await app.ok('GET', `/api/1.3/${path}/${id}`)).body.response[0], url).to.deep.equal(before)
        }
      }
    })
  }
})
