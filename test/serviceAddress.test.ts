import { expect } from 'chai'
import { serviceUrl } from '../api/config/serviceUrl.js'
import { readSettings } from '../api/config/settings.js'
import { seed } from '../api/records/seed.js'
import { buildServer } from './build.js'

describe('where the service is found', () => {
  it('is PUBLIC_URL, else the listening address', () => {
    const table = {
      'http://127.0.0.1:8080': {},
      'http://localhost:81': { HOST: '0.0.0.0', PORT: '81' },
      'http://localhost:8080': { HOST: '::' },
      'http://[2001:db8::1]:8080': { HOST: '2001:db8::1' },
      'https://control.example.net': { PUBLIC_URL: 'https://control.example.net', HOST: '0.0.0.0' },
    }
    for (const [url, env] of Object.entries(table)) expect(serviceUrl(readSettings(env))).to.equal(url)
  })

  it('is nothing an empty store begins with, nor is any other address', () => {
    const addresses = seed().parameters.filter(({ value }) => /:\/\/(?!\$\{)|\d+\.\d+\.\d+\.\d+|localhost/.test(value))
    expect(addresses.map(({ name, value }) => `${name} = ${value}`)).to.deep.equal([])
    expect(seed().parameters.map(({ name }) => name)).not.to.include('tm.url')
  })

  it('stands in compiled files and is told to agents, until a parameter of GLOBAL says otherwise', async () => {
    const server = await buildServer({ env: { PUBLIC_URL: 'https://control.example.net/' } }, 'sample')
    const told = async () => {
      const [{ hostName }] = (await server.ok('GET', '/api/1.3/servers?type=EDGE&limit=1')).body.response
      const files = `/api/1.3/servers/${hostName}/configfiles/ats`
      const { info } = (await server.ok('GET', files)).body
      const { text } = await server.ok('GET', `${files}/remap.config`)
      const { parameters } = (await server.ok('GET', '/api/1.3/system/info')).body.response
      return [info.toUrl, /\((.*?)\)/.exec(text)?.[1], parameters['tm.url']]
    }
    expect(new Set(await told())).to.deep.equal(new Set(['https://control.example.net']))
    const parameter = { name: 'tm.url', configFile: 'global', value: 'https://own.example.net/ops', secure: 0 }
    await server.ok('POST', '/api/1.3/profiles/name/GLOBAL/parameters', [parameter])
    expect(new Set(await told())).to.deep.equal(new Set([parameter.value]))
    await server.close()
  })
})
