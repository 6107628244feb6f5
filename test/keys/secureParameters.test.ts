import { expect } from 'chai'
import type { Parameter } from '../../compiler/data/model.js'
import { publishedFiles } from '../../compiler/snapshots/published.js'
import type { Answered, Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from '../resources/smallNetwork.js'
import { smallNetwork } from '../resources/smallNetwork.js'
import { smallCdn } from '../smallCdn.js'
import { altered, snapshotOf } from '../snapshotDocuments.js'

const value = 'known-to-administrators-only'
const warnings = ({ body }: Answered): string[] =>
  (body.alerts as { level: string; text: string }[]).filter(({ level }) => level === 'warning').map(({ text }) => text)

describe('secure parameters', function () {
  this.timeout(60_000)
  let app: TestServer
  let profileId: number
  let net: Network
  const make = async (body: object): Promise<Answered> => app.ok('POST', '/api/1.3/parameters', body)
  const idOf = ({ body }: Answered): number => body.response[0].id

  before(async () => {
    app = await buildServer()
    await app.ok('POST', '/api/1.3/cdns', { name: 'routed', domainName: 'routed.example', dnssecEnabled: false })
    const cdn = (await app.ok('GET', '/api/1.3/cdns?name=routed')).body.response[0].id
    const profile = { name: 'ROUTERS', description: 'd', type: 'TR_PROFILE', cdn }
    net = await smallNetwork(app)
    profileId = [(await app.ok('POST', '/api/1.3/profiles', profile)).body.response].flat()[0].id
  })
  after(() => app.close())

  describe('in files that routers and monitors read', () => {
    for (const configFile of publishedFiles) {
      it(`are warned of when one is written, whichever way: ${configFile}`, async () => {
        const parameter = { name: 'p', configFile, value, secure: true }
        const made = await make(parameter)
        const id = idOf(made)
        const plain = idOf(await make({ ...parameter, value: 'no secret', secure: false }))
        const answers: Record<string, Answered> = { made }
        const send = async (way: string, method: string, path: string, body: unknown) => {
          answers[way] = await app.ok(method, `/api/1.3${path}`, body)
        }
        await send('dry run', 'PUT', `/parameters/${plain}?dryRun=true`, { secure: true })
        await send('made secure', 'PUT', `/parameters/${plain}`, { secure: true })
        await send('linked', 'POST', '/profileparameters', { profileId, parameterId: id })
        await send('linked with others', 'POST', '/profileparameter', { profileId, paramIds: [id, plain] })
        await send('unlinked', 'POST', '/parameterprofile', { paramId: id, profileIds: [], replace: true })
        await send('linked to several', 'POST', '/parameterprofile', { paramId: id, profileIds: [profileId] })
        await send('made in a profile', 'POST', `/profiles/${profileId}/parameters`, { ...parameter, value: 'other' })
        const document = { parameters: [{ ...parameter, value: 'a third' }] }
        await send('imported', 'POST', '/import', document)
        const own = { name: `I-${configFile}`, description: 'd', type: 'TR_PROFILE', cdn: 'routed' }
        const travelled = { profile: own, parameters: [{ name: 'q', config_file: configFile, value, secure: true }] }
        await send('imported with a profile', 'POST', '/profiles/import', travelled)
        await send('copied', 'POST', `/profiles/name/C-${configFile}/copy/ROUTERS`, undefined)
        for (const [way, answer] of Object.entries(answers)) {
          const text = warnings(answer).join('\n')
          expect(text, way).to.contain(configFile).and.to.contain('is secure').and.to.not.contain(value)
        }
      })
    }

    it('are not warned of where nobody reads them, nor when they are not secure', async () => {
      const quiet = [
        await make({ name: 'quiet', configFile: 'own.config', value, secure: true }),
        await make({ name: 'quiet', configFile: 'CRConfig.json', value: 'v', secure: false }),
      ]
      for (const answer of quiet) expect(warnings(answer)).to.deep.equal([])
    })

    it('are said once each, and of many only the first', async () => {
      const parameters = Array.from({ length: 50 }, (_, at) => ({
        ...{ name: `many-${at}`, configFile: 'CRConfig.json', value, secure: true },
      }))
      const said = warnings(await make(parameters))
      expect(said).to.have.length(21)
      expect(said.at(-1)).to.contain('30 more')
    })

    it('are warned of in the documents that show them', () => {
      const shown: string[] = []
      const parameters = smallCdn.filter(({ kind }) => kind === 'parameters').map(({ record }) => record as Parameter)
      for (const { id, name, configFile } of parameters) {
        if (!(publishedFiles as readonly string[]).includes(configFile) || name === 'location') continue
        for (const document of ['CRConfig', 'monitoring', 'routing']) {
          const { warnings } = snapshotOf(document, [altered('parameters', id, { secure: true })])
          if (JSON.stringify(warnings).includes('secret-published')) shown.push(`${document} ${configFile}`)
        }
      }
      expect([...new Set(shown)].sort()).to.deep.equal([
        'CRConfig CRConfig.json',
        'monitoring rascal-config.txt',
        'monitoring rascal.properties',
        'routing CRConfig.json',
      ])
    })
  })

  it('are not shown by the list of the files of a server, as places of files or addresses of the service', async () => {
    await app.ok('POST', '/api/1.3/tenants', { name: 'lister', active: true, parentId: 1 })
    const { id } = await net.addServer()
    const [{ profileId: own }] = (await app.ok('GET', `/api/1.3/servers/${id}`)).body.response
    const [{ id: global }] = (await app.ok('GET', '/api/1.3/profiles?name=GLOBAL')).body.response
    const path = `/api/1.3/servers/${id}/configfiles/cachesw`
    const [branch, root] = [await app.as('operations', { tenant: 'lister' }), await app.as('operations')]
    await branch.ok('GET', path)
    const places = [
      { profile: own, name: 'location', configFile: 'secret-place.config' },
      { profile: own, name: 'URL', configFile: 'secret-url.config' },
      { profile: global, name: 'tm.rev_proxy.url', configFile: 'global' },
    ]
    for (const { profile, ...parameter } of places) {
      const made = { ...parameter, value, secure: true }
      await app.ok('POST', `/api/1.3/profiles/${profile}/parameters`, made)
      for (let time = 0; time < 2; time++) {
        const { status, text } = await branch.get(path)
        expect(text, parameter.name).to.not.contain(value)
        expect(status, parameter.name).to.equal(403)
        expect((await root.ok('GET', path)).text, parameter.name).to.contain(value)
      }
      const named = (await app.ok('GET', `/api/1.3/parameters?name=${parameter.name}`)).body.response
      const { id: parameterId } = named.find(({ configFile }: Parameter) => configFile === parameter.configFile)
      await app.ok('DELETE', `/api/1.3/profileparameters/${profile}/${parameterId}`)
      await app.ok('DELETE', `/api/1.3/parameters/${parameterId}`)
      await branch.ok('GET', path)
    }
  })

  it('tell nobody that a guess was right', async () => {
    await app.ok('POST', '/api/1.3/tenants', { name: 'branch', active: true, parentId: 1 })
    const server = await net.addServer()
    await tellNothing(await app.as('operations'), 'pin', server.id)
    await tellNothing(await app.as('admin', { tenant: 'branch' }), 'pin-of-branch', server.id)
  })

  const tellNothing = async (client: Client, name: string, serverId: number) => {
    await make({ name, configFile: 'own.config', value: '4711', secure: true })
    const own = `/api/1.3/servers/${serverId}`
    const [plain] = (await app.ok('GET', own)).body.response
    await app.ok('PUT', own, { ...plain, iloPassword: '4711', xmppPasswd: '4711' })
    const [shown] = (await client.ok('GET', own)).body.response
    expect([shown.iloPassword, shown.xmppPasswd]).to.deep.equal(['********', '********'])
    const pin = { name, configFile: 'own.config' }
    const guess = async (value: string) => {
      const said: unknown[] = []
      const send = async (method: string, path: string, body: unknown) => {
        const before = app.service.services.workingSet.revision
        const { status, body: answer } = await client.request(method, `/api/1.3${path}`, body)
        const changed = (answer.changes ?? []).map(({ kind, action }: { kind: string; action: string }) => [
          kind,
          action,
        ])
        const moved = app.service.services.workingSet.revision - before
        said.push([method, path.replace(/\d+/g, ':id'), status, answer.alerts?.length, changed, moved])
        return answer
      }
      for (const how of ['?dryRun=true', '']) {
        for (const field of ['iloPassword', 'xmppPasswd'])
          await send('PUT', `/servers/${serverId}${how}`, { ...shown, [field]: value })
        await send('POST', `/profiles/${profileId}/parameters${how}`, { ...pin, value })
        const made = (await app.ok('GET', `/api/1.3/parameters?name=${name}`)).body.response
        const own = made.filter(({ secure }: { secure: boolean }) => !secure)
        for (const { id } of own) {
          await send('DELETE', `/profileparameters/${profileId}/${id}`, undefined)
          await send('DELETE', `/parameters/${id}`, undefined)
        }
        const { response } = await send('POST', `/parameters${how}`, { ...pin, value })
        const id = response?.[0]?.id
        if (how === '') {
          await send('PUT', `/parameters/${id}`, { value: 'another' })
          await send('PUT', `/parameters/${id}`, { value })
          await send('DELETE', `/parameters/${id}`, undefined)
        }
        await send('POST', '/parameters/validate', { ...pin, value })
      }
      const since = app.service.services.workingSet.revision - 20
      const { text } = await client.ok('GET', `/api/1.3/changes?since=${since}`)
      expect(text).to.not.contain('(changed)')
      return said
    }
    const wrong = await guess('0815')
    await app.ok('PUT', own, { ...shown, iloPassword: '4711', xmppPasswd: '4711' })
    expect(await guess('4711')).to.deep.equal(wrong)
    expect(wrong.length).to.be.greaterThan(14)
    expect(wrong.filter((one) => (one as unknown[])[2] === 200).length).to.be.greaterThan(10)
  }

  it('are compiled into a file for users of the root tenant alone, whatever the file is called', async () => {
    const server = await net.addServer({ hostName: 'compiled', ipAddress: '192.0.2.250', ip6Address: null })
    const profile = server.profileId as number
    const files = ['own.config', 'astats.config', 'global', 'package', 'chkconfig']
    const parameters = files.map((configFile) => ({ name: `door-${configFile}`, configFile, value, secure: true }))
    await app.ok('POST', `/api/1.3/profiles/${profile}/parameters`, parameters)
    const ofServices = await app.ok('POST', '/api/1.3/profiles', {
      name: 'OF_SERVICES',
      description: 'of services',
      type: 'DS_PROFILE',
      cdn: net.ids.cdn,
    })
    const [{ id: profileId }] = [ofServices.body.response].flat()
    const shared = { name: 'cachekey.x', configFile: 'cachekey.config', value: 'shared-by-a-service', secure: true }
    await app.ok('POST', `/api/1.3/profiles/${profileId}/parameters`, shared)
    const service = await net.addService('profiled', { profileId })
    await app.ok('POST', '/api/1.3/deliveryserviceserver', { dsId: service.id, servers: [server.id] })
    const at = (kind: string, id: number, file: string) => `/api/1.3/${kind}/${id}/configfiles/ats/${file}`
    const paths = [
      ...['own.config', 'global', 'package'].map((file) => at('servers', server.id, file)),
      at('profiles', profile, 'astats.config'),
      `/ort/${server.hostName}/packages`,
      `/ort/${server.hostName}/chkconfig`,
    ]
    for (const role of ['operations', 'ort']) {
      const root = await app.as(role)
      const branch = await app.as(role, { tenant: 'branch' })
      for (const path of paths) {
        expect((await root.ok('GET', path)).text, path).to.contain(value)
        for (const query of ['', '?explain=true', '?wait=0s']) {
          const { status, text } = await branch.get(path + query)
          expect(status, path + query).to.equal(403)
          expect(text).to.not.contain(value)
        }
      }
      const remap = at('servers', server.id, 'remap.config')
      expect((await root.ok('GET', remap)).text).to.contain('shared-by-a-service')
      expect((await branch.get(remap)).status).to.equal(403)
      const plain = at('profiles', profile, 'records.config')
      expect((await branch.get(plain)).status).to.equal(200)
    }
  })

  describe('in documents without secrets', () => {
    const masked = (values: object) => ({
      name: 'door',
      configFile: 'own.config',
      value: '********',
      secure: true,
      ...values,
    })
    const of = async (client: Client) =>
      (await client.ok('GET', '/api/1.3/parameters?name=door')).body.response.map(
        ({ value, profiles }: { value: string; profiles: string[] }) => [value, ...profiles].join(),
      )

    it('come back as what is there, and their links as the document has them', async () => {
      await make({ name: 'door', configFile: 'own.config', value: 'the first', secure: true })
      const exported = (await app.ok('GET', '/api/1.3/export')).body
      const [door] = exported.parameters.filter(({ name }: { name: string }) => name === 'door')
      expect(door).to.include(masked({}))
      const answer = await app.ok('POST', '/api/1.3/import', exported)
      expect(answer.body.response).to.include({ created: 0, updated: 0 })
      await app.ok('POST', '/api/1.3/import', { parameters: [masked({ profileNames: ['ROUTERS'] })] })
      expect(await of(app)).to.deep.equal(['the first,ROUTERS'])
    })

    it('are told apart by their links; where that does not do, nothing is guessed', async () => {
      await make({ name: 'door', configFile: 'own.config', value: 'the second', secure: true })
      const both = [masked({ profileNames: ['ROUTERS'] }), masked({ profileNames: [] })]
      const answer = await app.ok('POST', '/api/1.3/import', { parameters: both })
      expect(answer.body.response).to.include({ created: 0, updated: 0, unchanged: 2 })
      const vague = await app.request('POST', '/api/1.3/import', { parameters: [masked({ profileNames: ['GLOBAL'] })] })
      expect([vague.status, vague.text]).to.satisfy(
        ([status, text]: [number, string]) => status === 400 && text.includes('several records here could be meant'),
      )
      expect(await of(app)).to.have.members(['the first,ROUTERS', 'the second'])
    })

    it('are a fault where there is none: no asterisks are stored', async () => {
      const empty = await buildServer()
      const answer = await empty.request('POST', '/api/1.3/import', { parameters: [masked({})] })
      expect([answer.status, answer.text]).to.satisfy(
        ([status, text]: [number, string]) =>
          status === 400 && text.includes('parameters[0]') && text.includes('put the value in'),
      )
      expect(await of(empty)).to.deep.equal([])
      await empty.close()
    })

    it('stay secure, and hidden, in the export of a profile', async () => {
      const profile = (await app.ok('GET', `/api/1.3/profiles/${profileId}/export`)).body
      expect(profile.parameters).to.deep.include({
        name: 'door',
        config_file: 'own.config',
        value: '********',
        secure: true,
      })
      const renamed = { ...profile, profile: { ...profile.profile, name: 'TRAVELLED' } }
      renamed.parameters = profile.parameters.filter(({ name }: { name: string }) => name !== 'door')
      // Two doors: which one is not in the document.
      expect(
        (await app.request('POST', '/api/1.3/profiles/import', { ...profile, profile: renamed.profile })).text,
      ).to.contain('several records here could be meant')
      const oper = await app.as('operations')
      const given = { ...renamed, parameters: [{ name: 'own', config_file: 'own.config', value: 'v', secure: true }] }
      expect((await oper.request('POST', '/api/1.3/profiles/import', given)).status).to.equal(403)
      await app.ok('POST', '/api/1.3/profiles/import', given)
      const [own] = (await app.ok('GET', '/api/1.3/parameters?name=own')).body.response
      expect(own).to.include({ value: 'v', secure: true })
    })

    it('become secure when one that is there is given once more as such', async () => {
      await make({ name: 'open', configFile: 'own.config', value: 'v', secure: false })
      const again = { name: 'open', configFile: 'own.config', value: 'v', secure: true }
      const oper = await app.as('operations')
      expect((await oper.request('POST', `/api/1.3/profiles/${profileId}/parameters`, again)).status).to.equal(403)
      await app.ok('POST', `/api/1.3/profiles/${profileId}/parameters`, again)
      expect((await app.ok('GET', '/api/1.3/parameters?name=open')).body.response[0].secure).to.equal(true)
    })
  })
})
