import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'

describe('extensions', () => {
  let app: TestServer
  before(async () => {
    app = await buildServer()
  })
  after(() => app.close())

  const path = '/api/1.1/to_extensions'
  const get = async () => (await app.ok('GET', `${path}.json`)).body.response
  const check = (more: object = {}) => ({
    name: 'DISK_TEMPERATURE',
    version: '1.0.0',
    info_url: 'http://info.example/',
    script_file: 'DiskTemperature.pl',
    isactive: '1',
    additional_config_json: '{"limit": 60}',
    description: null,
    servercheck_short_name: 'TMP',
    type: 'CHECK_EXTENSION_NUM',
    ...more,
  })

  it('are shown in the shape of the interface, without the open slots', async () => {
    const all = await get()
    expect(all).to.have.length(10)
    expect(all[0]).to.include({
      name: 'ILO_PING',
      isactive: '1',
      servercheck_short_name: 'ILO',
      type: 'CHECK_EXTENSION_BOOL',
    })
    expect(all[0].id).to.be.a('string')
  })

  it('are checks that take a slot and leave it', async () => {
    const { body } = await app.ok('POST', path, check())
    expect(body.alerts[0].text).to.equal('Check Extension Loaded.')
    const { id } = body.supplemental
    const [made] = (await get()).filter(({ name }: { name: string }) => name === 'DISK_TEMPERATURE')
    expect(made).to.include({ id: String(id), isactive: '1', additional_config_json: '{"limit": 60}' })
    expect((await app.request('POST', path, check({ name: 'OTHER' }))).status).to.equal(409)
    expect((await app.request('POST', path, check({ servercheck_short_name: 'X' }))).status).to.equal(409)
    expect((await app.ok('POST', `${path}/${id}/delete`)).body.alerts[0].text).to.equal('Extension deleted.')
    expect(await get()).to.have.length(10)
    expect((await app.request('POST', `${path}/${id}/delete`)).status).to.equal(404)
    expect((await app.ok('POST', path, check())).body.supplemental.id).to.equal(id)
  })

  it('run out of slots', async () => {
    for (let slot = 0; slot < 20; slot++) {
      await app.ok('POST', path, check({ name: `CHECK_${slot}`, servercheck_short_name: `S${slot}` }))
    }
    const full = await app.request('POST', path, check({ name: 'TOO_MANY', servercheck_short_name: 'TOO' }))
    expect([full.status, full.body.alerts[0].text]).to.deep.equal([
      400,
      'No open slots left for checks, delete one first.',
    ])
  })

  it('are of a known type, and not updated', async () => {
    for (const wrong of [
      { type: 'CHECK_EXTENSION_OPEN_SLOT' },
      { type: 'EDGE' },
      { type: undefined },
      { id: 5 },
      { name: '' },
    ]) {
      expect((await app.request('POST', path, check(wrong))).status, JSON.stringify(wrong)).to.equal(400)
    }
    const statistics = { ...check({ name: 'STATS', type: 'STATISTIC_EXTENSION' }), servercheck_short_name: null }
    const { body } = await app.ok('POST', path, statistics)
    expect(body.alerts[0].text).to.equal('Extension loaded.')
    await app.ok('POST', `${path}/${body.supplemental.id}/delete`)
  })
})
