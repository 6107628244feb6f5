import { expect } from 'chai'
import { FileMissing } from '../compiler/core/defineFile.js'
import type { ListedFile } from '../compiler/listing/listing.js'
import { listing } from '../compiler/listing/listing.js'
import { serviceUrl } from './serviceUrl.js'
import { typeId } from './smallCdn.js'
import type { Edit } from './smallData.js'
import { smallData } from './smallData.js'

const [edge, mid, monitor] = [1, 2, 7]
const base = '/opt/trafficserver/etc/trafficserver'

const files = (serverId: number, ...edits: Edit[]): Map<string, ListedFile> =>
  new Map(
    listing(smallData(...edits).reader(), serverId, '1.2', serviceUrl).configFiles.map((file) => [
      file.fnameOnDisk,
      file,
    ]),
  )
const names = (serverId: number, ...edits: Edit[]): string[] => [...files(serverId, ...edits).keys()]

const parameter = (id: number, configFile: string, value = base, name = 'location', profiles = [1]): Edit => [
  'parameters',
  { id, name, configFile, value, profiles },
]
const version = (value: string): Edit => ['parameters', { id: 1, value }]
const service = (id: number, xmlId: string, fields: object): Edit[] => [
  ['deliveryServices', { id, xmlId, orgServerFqdn: `http://${xmlId}.example.org`, ...fields }],
  ['deliveryServiceRegexes', { id, deliveryServiceId: id, pattern: `.*\\.${xmlId}\\..*` }],
]

describe('the listing of a server', () => {
  it('says who the server is and where its files come from', () => {
    expect(listing(smallData().reader(), edge, '1.2', serviceUrl).info).to.deep.equal({
      serverName: 'a1',
      serverIpv4: '192.0.2.11',
      serverId: 1,
      serverTcpPort: 80,
      profileId: 1,
      profileName: 'EDGE',
      cdnId: 1,
      cdnName: 'orb',
      toUrl: 'https://edgewright.example.net',
    })
  })

  it('names the reverse proxy only when there is one', () => {
    const data = smallData(parameter(50, 'global', 'https://proxy.example.net', 'tm.rev_proxy.url', [6]))
    expect(listing(data.reader(), edge, '1.2', serviceUrl).info.toRevProxyUrl).to.equal('https://proxy.example.net')
  })

  it('does not exist for a server that does not', () => {
    expect(() => listing(smallData().reader(), 99, '1.2', serviceUrl)).to.throw(FileMissing)
  })

  it('has files fetched by id where a name would lead to another server, profile or CDN', () => {
    const uris = (...edits: Edit[]) => {
      const found = files(edge, ...edits)
      return ['remap.config', 'records.config', 'bg_fetch.config'].map((file) => found.get(file)?.apiUri?.split('/')[4])
    }
    expect(uris(parameter(50, 'bg_fetch.config'))).to.deep.equal(['a1', 'EDGE', 'orb'])
    expect(uris(parameter(50, 'bg_fetch.config'), ['servers', { id: 3, hostName: 'a1' }])[0]).to.equal('1')
    const digits = ['servers', 'profiles', 'cdns'].map(
      (kind): Edit => [kind, { id: 1, [kind === 'servers' ? 'hostName' : 'name']: '2' }],
    )
    expect(uris(parameter(50, 'bg_fetch.config'), ...digits)).to.deep.equal(['1', '1', '1'])
  })

  it('gives each file its route by scope, in the version asked, without the scope of servers', () => {
    const found = files(edge)
    expect(found.get('remap.config')).to.deep.equal({
      fnameOnDisk: 'remap.config',
      location: base,
      apiUri: '/api/1.2/servers/a1/configfiles/cachesw/remap.config',
    })
    expect(found.get('records.config')).to.deep.equal({
      fnameOnDisk: 'records.config',
      location: base,
      scope: 'profiles',
      apiUri: '/api/1.2/profiles/EDGE/configfiles/cachesw/records.config',
    })
    expect(found.get('hdr_rw_vod.config')).to.deep.equal({
      fnameOnDisk: 'hdr_rw_vod.config',
      location: base,
      scope: 'cdns',
      apiUri: '/api/1.2/cdns/orb/configfiles/cachesw/hdr_rw_vod.config',
    })
    expect(files(mid).get('cache.config')).to.not.have.property('scope')
    expect(files(edge).get('cache.config')).to.have.property('scope', 'profiles')
  })

  it('is sorted by file name', () => {
    expect(names(edge)).to.deep.equal(names(edge).toSorted())
  })

  it('sends the agent elsewhere for a file with a URL', () => {
    const found = files(
      edge,
      parameter(50, 'list.txt', 'https://lists.example.net/a', 'URL'),
      parameter(51, 'list.txt'),
    )
    expect(found.get('list.txt')).to.deep.equal({
      fnameOnDisk: 'list.txt',
      location: base,
      scope: 'cdns',
      url: 'https://lists.example.net/a',
    })
  })

  it('lists unknown files by their scope parameter, with their names escaped', () => {
    const found = files(edge, parameter(50, 'a file?'), parameter(51, 'a file?', 'cdns', 'scope', [6]))
    expect(found.get('a file?')?.apiUri).to.equal('/api/1.2/cdns/orb/configfiles/cachesw/a%20file%3F')
  })

  it('lists every file that remap.config names, the marks in their own folder', () => {
    const { text } = smallData().compile('remap.config', 'servers', edge)
    const named = [...text.matchAll(/@pparam=(?:--config=)?(\S+\.config)/g)].map(([, path]) => `${base}/${path}`)
    const listed = [...files(edge).values()].map(({ location, fnameOnDisk }) => `${location}/${fnameOnDisk}`)
    expect(named).to.have.length.above(5)
    expect(listed).to.include.members(named)
  })

  it('lists what a mid needs for its own lines', () => {
    expect(names(mid, ['deliveryServices', { id: 1, midHeaderRewrite: 'rm-header A' }])).to.include(
      'hdr_rw_mid_vod.config',
    )
  })

  it('lists no file that a service left out would have needed', () => {
    expect(names(edge, ['deliveryServices', { id: 1, orgServerFqdn: null }])).to.not.include('hdr_rw_vod.config')
  })

  it('lists signing files of assigned services', () => {
    const uri = service(10, 'uri', { signingAlgorithm: 'uri_signing' })
    const url = service(11, 'url', { signingAlgorithm: 'url_sig' })
    const assigned: Edit = ['deliveryServiceServers', { id: 1, deliveryServices: [10, 11] }]
    const placed = [parameter(50, 'uri_signing_uri.config'), parameter(51, 'url_sig_url.config')]
    const unkeyed = [...uri, ...url, assigned, ...placed]
    const files = ['uri_signing_uri.config', 'url_sig_url.config']
    expect(names(edge, ...unkeyed)).to.not.include.any.members(files)
    expect(smallData(...unkeyed).compile('remap.config', 'servers', edge).text).to.not.match(/ur[il]_sig/)
    const keys: Edit[] = [
      ['uriSigningKeys', { id: 10, sealed: '' }],
      ['urlSigKeys', { id: 11, sealed: '' }],
    ]
    expect(names(edge, ...uri, ...url, assigned, ...keys)).to.include.members(files)
    expect(names(edge, ...unkeyed, parameter(52, 'url_sig_url.config', 'k', 'key0'))).to.include(files[1])
    expect(names(edge, ...uri, ...keys)).to.not.include('uri_signing_uri.config')
    const keyed = names(
      edge,
      ...url,
      ['urlSigKeys', { id: 11, sealed: '' }],
      ['deliveryServiceServers', { id: 1, deliveryServices: [11] }],
    )
    expect(keyed).to.include('url_sig_url.config')
  })

  it("leaves out the listed files of services that are not the server's", () => {
    const listed = ['hdr_rw_away.config', 'hdr_rw_mid_away.config', 'regex_remap_nobody.config', 'url_sig_un.config']
    const edits = [
      ...listed.map((file, i) => parameter(50 + i, file, base, 'location', [1, 2])),
      ...service(10, 'un', {}),
      ['urlSigKeys', { id: 10, sealed: '' }] satisfies Edit,
    ]
    expect(names(edge, ...edits))
      .to.not.include.members(listed.slice(0, 1))
      .and.not.include('url_sig_un.config')
    expect(names(mid, ...edits))
      .to.include('url_sig_un.config')
      .and.not.include('hdr_rw_mid_away.config')
    expect(names(edge, parameter(60, 'regex_remap_vod.config'))).to.include('regex_remap_vod.config')
    const keys = ['cacheurl_qstring.config', 'cacheurl_vod.config', 'cacheurl_nobody.config']
    const places = keys.map((file, i) => parameter(60 + i, file))
    expect(names(edge, ...places))
      .to.include.members(keys.slice(0, 2))
      .and.not.include(keys[2])
  })

  it('adds what a version cannot do without, but no settings that nobody made', () => {
    expect(names(edge)).to.include.members([
      'ip_allow.yaml',
      'sni.yaml',
      'cache.config',
      'storage.config',
      'hosting.config',
    ])
    expect(names(edge, version('8.1.2'))).to.include.members(['ip_allow.config', 'ssl_server_name.yaml'])
    expect(names(edge, version('7.1.2'))).to.not.include.members(['ip_allow.config'])
    expect(names(mid)).to.include('ip_allow.yaml').and.not.include.members(['storage.config'])
    expect(names(mid)).to.not.include('hosting.config')
    expect(names(mid, ['parameters', 14], ['parameters', 15])).to.not.include('records.config')
  })

  it('infers nothing for other machines, or without the place of remap.config', () => {
    expect(names(monitor, parameter(50, 'remap.config', base, 'location', [4]))).to.deep.equal(['remap.config'])
    expect(names(edge, ['parameters', { id: 2, profiles: [] }])).to.deep.equal(['parent.config'])
  })

  it('has no file whose name leads elsewhere', () => {
    const names = ['../../etc/passwd', '..', 'a/b', 'a\\b', 'a\nb']
    const found = files(edge, ...names.map((name, i) => parameter(50 + i, name)))
    expect([...found.keys()].filter((name) => names.includes(name))).to.deep.equal([])
  })

  it('does not repeat a service whose name begins with mid_', () => {
    const edits = service(10, 'mid_vod', { edgeHeaderRewrite: 'set-header A b', typeId: typeId('HTTP') })
    expect(names(edge, ...edits, ['deliveryServiceServers', { id: 1, deliveryServices: [10] }])).to.include(
      'hdr_rw_mid_vod.config',
    )
  })
})
