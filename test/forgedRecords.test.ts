import { expect } from 'chai'
import fc from 'fast-check'
import { smallData } from './smallData.js'

/**
 * Whatever the text of services, servers and their settings holds, each line of a file is of that file's kind, and
 * there are no more of them than records that make one. Only `__RETURN__` in rules a service brings makes new ones.
 */
describe('forged lines in the files of services and servers', () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\n',
          '\r\n',
          '\0',
          '\u2028',
          '\u0085',
          '"',
          "'",
          '#',
          ';',
          ' ',
          '\t',
          '__RETURN__',
          '__RET',
          'URN__',
        ),
        fc.constantFrom(
          'map http://evil/ http://evil/',
          'dest_domain=. go_direct=true',
          'http://o.example.org',
          '/',
          ':80',
          '.*',
          '\\.x\\.',
          '|',
          '- fqdn: evil',
          '$1',
          '{{header}}',
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(''))

  const service = fc.record({
    xmlId: fc.oneof(fc.constant('vod'), hostile),
    orgServerFqdn: fc.oneof(fc.constant('http://v.example.org'), hostile),
    routingName: hostile,
    remapText: hostile,
    cacheurl: hostile,
    regexRemap: hostile,
    edgeHeaderRewrite: hostile,
    midHeaderRewrite: hostile,
    originShield: hostile,
    typeId: fc.constantFrom(9, 10, 13, 14, 16),
    protocol: fc.constantFrom(0, 1, 2, 3),
    qstringIgnore: fc.constantFrom(0, 1, 2),
    multiSiteOrigin: fc.boolean(),
    profileId: fc.constant(7),
  })
  const server = fc.record({ hostName: hostile, domainName: hostile, ipAddress: hostile, ip6Address: hostile })
  const settings = fc.array(
    fc.tuple(
      fc.constantFrom(
        'parent.config',
        'cachekey.config',
        'remap.config',
        'records.config',
        'ip_allow.config',
        'storage.config',
      ),
      fc.oneof(
        fc.constantFrom(
          'weight',
          'port',
          'rank',
          'qstring',
          'algorithm',
          'psel.qstring_handling',
          'mso.algorithm',
          'mso.parent_retry',
          'last.parent_retry',
          'purge_allow_ip',
          'cachekey.pparam',
          'tls_versions',
          'RAM_Drive_Prefix',
        ),
        hostile,
      ),
      hostile,
    ),
    { maxLength: 8 },
  )
  const records = fc.record({
    service,
    pattern: fc.oneof(fc.constant('.*\\.vod\\..*'), hostile),
    server,
    settings,
    domain: fc.oneof(fc.constant('orb.example.net'), hostile),
    version: fc.constantFrom('5', '6', '7', '8', '9'),
    asset: hostile,
  })

  const word = '[^\\s"\']+'
  const kinds: [file: string, scope: 'servers' | 'profiles' | 'cdns', id: number, line: RegExp, most: number][] = [
    ['remap.config', 'servers', 1, new RegExp(`^map\\s+https?://${word}/ +https?://${word}/ `), 9],
    ['remap.config', 'servers', 2, new RegExp(`^map https?://${word} https?://${word}( |$)`), 5],
    ['parent.config', 'servers', 1, new RegExp(`^dest_(domain|ip)=${word} (port=\\d+ )?(parent="|go_direct=true$)`), 6],
    ['parent.config', 'servers', 2, new RegExp(`^dest_(domain|ip)=${word} port=\\d+ parent="?[^"\\s]+"?( |$)`), 4],
    [
      'cache.config',
      'profiles',
      1,
      new RegExp(`^dest_domain=${word} (port=\\d+ )?scheme=https? action=never-cache$`),
      4,
    ],
    ['hosting.config', 'servers', 1, /^(# TRAFFIC OPS NOTE: volume \d is|hostname=[^\s"']+ +volume=\d$)/, 6],
    ['ip_allow.config', 'servers', 2, /^src_ip=[0-9a-f:./-]+ action=ip_(allow|deny) method=(ALL|PUSH\|PURGE)$/i, 20],
    [
      'ip_allow.yaml',
      'servers',
      2,
      /^(ip_allow:| {2}- apply: in| {4}ip_addrs: [0-9a-fA-F:./-]+| {4}action: \w+| {4}methods:| {6}- [A-Z]+)$/,
      150,
    ],
    [
      'sni.yaml',
      'servers',
      1,
      /^(sni:( \[\])?|- fqdn: '[\w.-]+'| {2}http2: (on|off)| {2}valid_tls_versions_in: \['TLSv1[',\w]*'\])$/,
      16,
    ],
    ['ssl_multicert.config', 'cdns', 1, /^ssl_cert_name=[\w-]+_cert\.cer\t ssl_key_name=[\w.-]+\.key$/, 4],
    ['regex_revalidate.config', 'cdns', 1, new RegExp(`^${word} \\d{9,11}$`), 1],
  ]

  it('cannot be made', () => {
    fc.assert(
      fc.property(records, ({ service, pattern, server, settings, domain, version, asset }) => {
        const data = smallData(
          ['deliveryServices', { id: 1, ...service }],
          ['deliveryServiceRegexes', { id: 1, pattern }],
          ['servers', { id: 1, ...server }],
          ['servers', { id: 3, ...server }],
          ['servers', { id: 5, ...server }],
          ['cdns', { id: 1, domainName: domain }],
          ['jobs', { id: 1, assetUrl: asset }],
          ['parameters', { id: 1, value: `${version}.0.0` }],
          ...settings.map(
            ([configFile, name, value], i) =>
              ['parameters', { id: 100 + i, configFile, name, value, profiles: [1, 2, 3, 7] }] as const,
          ),
        )
        for (const [file, scope, id, line, most] of kinds) {
          const { text } = data.compile(file, scope, id)
          // Nothing is left that the agent on the cache would make a line of.
          expect(text).to.not.match(/__RETURN__/)
          const [, ...lines] = text.slice(0, -1).split(/\r\n|[\n\r\v\f\0\u0085\u2028\u2029]/)
          const raw = service.typeId === 16 && file === 'remap.config' ? 1 : 0
          const others = lines.filter((one) => !line.test(one))
          expect(others.length, `${file}: ${JSON.stringify(others)}`).to.be.at.most(raw)
          expect(lines.length, file).to.be.at.most(most)
        }
      }),
      { numRuns: 100 },
    )
  })
})
