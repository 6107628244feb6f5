import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect } from 'chai'
import type { GivenCertificate } from '../../api/operations/keys/certificate.js'
import { checkCertificate } from '../../api/operations/keys/certificate.js'
import { createKeyMaker } from '../../api/operations/keys/keyMaker.js'
import type { Subject } from '../../api/operations/keys/makeCertificate.js'
import { makeCertificate, subjectFaults } from '../../api/operations/keys/makeCertificate.js'
import type { Issued } from './authority.js'
import { issue } from './authority.js'
import { inFolder, needTools, run } from './tools.js'

const now = Date.parse('2026-11-21T12:00:00Z')
const host = '*.news.cdn.example.net'
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a certificate that is added', () => {
  let root: Issued
  let middle: Issued
  let server: Issued
  before(async () => {
    root = await issue({ name: 'Root' })
    middle = await issue({ name: 'Middle', by: root })
    server = await issue({ name: 'news', by: middle, hosts: [host], to: '2027-05-01' })
  })

  const check = (changes: Partial<GivenCertificate> = {}) =>
    checkCertificate({ crt: server.crt + middle.crt, key: server.key, hostname: host, hosts: [], now, ...changes })
  const accepted = (changes: Partial<GivenCertificate> = {}) => {
    const answer = check(changes)
    if ('faults' in answer) throw new Error(answer.faults.map(({ text }) => text).join(' '))
    return answer
  }
  const faults = (changes: Partial<GivenCertificate>) => {
    const answer = check(changes)
    return 'faults' in answer ? answer.faults.map(({ text }) => text) : []
  }

  it('is kept as PEM with the date it runs out', () => {
    expect(accepted()).to.deep.equal({
      crt: server.crt + middle.crt,
      key: server.key,
      csr: null,
      expiration: '2027-05-01T00:00:00.000Z',
      warnings: ['The certificate is signed by an authority that browsers do not know: CN=Root.'],
    })
  })

  it('may be base64 around PEM, with other text and line ends between', () => {
    const crt = `subject=news\r\n${server.crt.replaceAll('\n', '\r\n')}\r\n${middle.crt}`
    expect(accepted({ crt: base64(crt), key: base64(server.key) })).to.deep.equal(accepted())
  })

  it('may bring its root, and runs out with the first of the chain', async () => {
    const shortLived = await issue({ name: 'Short', to: '2026-12-01' })
    const leaf = await issue({ name: 'news', by: shortLived, hosts: [host] })
    expect(accepted({ crt: leaf.crt + shortLived.crt, key: leaf.key }).expiration).to.equal('2026-12-01T00:00:00.000Z')
  })

  it('gets a warning when it is self-signed', async () => {
    const alone = await issue({ name: 'news', hosts: [host] })
    expect(accepted(alone).warnings).to.deep.equal(['The certificate is self-signed; browsers will not trust it.'])
  })

  const others: [string, () => Partial<GivenCertificate>, RegExp][] = [
    ['no PEM', () => ({ crt: 'a certificate' }), /must be 1 to 10 certificates in PEM/],
    ['an empty text', () => ({ crt: '' }), /must be 1 to 10 certificates/],
    ['a huge text', () => ({ crt: server.crt.repeat(100) }), /must be 1 to 10 certificates/],
    ['too long a chain', () => ({ crt: server.crt.repeat(11) }), /must be 1 to 10 certificates/],
    ['PEM of something else', () => ({ crt: pem('CERTIFICATE', 'AAAA') }), /no X\.509 certificate/],
    ['a private key among them', () => ({ crt: server.crt + server.key }), /holds a private key/],
    ['a chain out of order', () => ({ crt: server.crt + root.crt }), /Certificate 1 .*was not signed by .*CN=Root/],
    [
      'a chain that leads back',
      () => ({ crt: server.crt + middle.crt + server.crt }),
      /Certificate 2 .*was not signed/,
    ],
    ['no key', () => ({ key: '' }), /must be one in PEM/],
    ['a key that is none', () => ({ key: pem('PRIVATE KEY', 'AAAA') }), /no private key/],
    ['the key of another one', () => ({ key: middle.key }), /does not belong to the certificate/],
    ['an encrypted key', () => ({ key: encryptedKey() }), /is encrypted/],
    ['a key of another kind', () => ({ key: ed25519() }), /of type ed25519 cannot be served/],
    ['a request that is none', () => ({ csr: pem('CERTIFICATE REQUEST', 'AAAA') }), /request cannot be read/],
    [
      'another host name',
      () => ({ hostname: 'www.example.org' }),
      /not good for www\.example\.org; it names DNS:\*\.news/,
    ],
    ['a deeper host name', () => ({ hostname: 'a.b.news.cdn.example.net' }), /not good for/],
    ['the bare domain', () => ({ hostname: 'news.cdn.example.net' }), /not good for/],
    ['a date after its end', () => ({ now: Date.parse('2027-05-02') }), /Certificate 1 .* expired on May {2}1/],
    ['a date before its start', () => ({ now: Date.parse('2020-01-01') }), /not valid before Jan {2}1/],
    [
      'a time that is none',
      () => ({ crt: server.crt + withoutEnd(middle) }),
      /^Certificate 2 .* does not say, in a form that can be read, when it is valid\.$/,
    ],
    [
      'a service of another name',
      () => ({ hosts: ['*.sports.cdn.example.net'] }),
      /does not answer .*it answers \*\.sports/,
    ],
    ['a service of another CDN', () => ({ hosts: ['tr.news.cdn.example.org'] }), /does not answer/],
  ]
  for (const [what, changes, text] of others)
    it(`is refused for ${what}`, () => {
      expect(faults(changes()).join('\n')).to.match(text)
    })

  it('is good for a host of the service it is for', () => {
    for (const hosts of [[host], ['tr.news.cdn.example.net'], ['other.example.net', 'TR.news.cdn.example.net']])
      expect(faults({ hosts }), hosts.join()).to.deep.equal([])
    expect(faults({ hostname: 'edge1.news.cdn.example.net', hosts: [host] })).to.deep.equal([])
  })

  it('is refused when what signed it may not sign', async () => {
    const server2 = await issue({ name: 'more', by: server, hosts: [host] })
    expect(faults({ crt: server2.crt + server.crt, key: server2.key }).join()).to.match(/was not signed by/)
  })

  it('is refused when its issuer has the name but not the key', async () => {
    const impostor = await issue({ name: 'Middle', by: root })
    expect(faults({ crt: server.crt + impostor.crt }).join()).to.match(/was not signed by/)
  })

  it('has all its faults said at once', () => {
    const wrong = { key: middle.key, hostname: 'x.example.org', now: Date.parse('2050-01-01') }
    expect(faults(wrong)).to.have.length(4)
  })
})

describe('a certificate that is made', () => {
  const subject: Subject = {
    hostname: host,
    country: 'us',
    state: 'Colorado, CN=other',
    city: 'Dénver',
    organization: 'The "Best" <Co>',
    businessUnit: '#1; +1',
  }
  const makeRsa = createKeyMaker()
  let made: Awaited<ReturnType<typeof makeCertificate>>
  before(async () => {
    made = await makeCertificate(subject, now, makeRsa)
  })

  it('passes for one that is added', () => {
    const checked = checkCertificate({ ...made, hostname: host, hosts: [host], now })
    expect(checked).to.deep.equal({
      ...made,
      warnings: ['The certificate is self-signed; browsers will not trust it.'],
    })
    expect(made.expiration).to.equal('2027-11-21T12:00:00.000Z')
  })

  it('names exactly whom it was made for', () => {
    const { subject: name, subjectAltName } = new X509Certificate(made.crt)
    expect(name.split('\n')).to.have.length(6)
    expect(new X509Certificate(made.crt).toLegacyObject().subject).to.deep.include({
      ...{ C: 'US', ST: subject.state, O: subject.organization, OU: subject.businessUnit, CN: host },
    })
    expect(subjectAltName).to.equal(`DNS:${host}`)
    expect(createPrivateKey(made.key).asymmetricKeyDetails).to.include({ modulusLength: 2048 })
  })

  it('is another one each time', async () => {
    const { serialNumber } = new X509Certificate(made.crt)
    const again = await makeCertificate(subject, now, makeRsa)
    expect(new X509Certificate(again.crt).serialNumber).to.not.equal(serialNumber)
    expect(checkCertificate({ ...made, csr: again.csr, hostname: host, hosts: [], now })).to.have.property('faults')
  })

  it('leaves a host name too long for a common name to the alternative names', async () => {
    const hostname = `${'long-label.'.repeat(8)}example.net`
    const { crt } = await makeCertificate({ ...subject, hostname }, now, makeRsa)
    expect(new X509Certificate(crt).checkHost(hostname)).to.equal(hostname)
    expect(new X509Certificate(crt).subject).to.not.include('CN=long')
  })

  it('serves a connection that trusts it, at once', async () => {
    const { crt, key } = await makeCertificate(subject, Date.now(), makeRsa)
    const server = createServer({ cert: crt, key })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', ca: crt, servername: 'edge.news.cdn.example.net' })
    try {
      await once(socket, 'secureConnect')
      expect(socket.authorized).to.equal(true)
    } finally {
      socket.destroy()
      server.close()
    }
  })

  it('has a request that openssl verifies', async function () {
    needTools(this, ['openssl'], 'openssl')
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'request.pem'), made.csr)
      const said = await run('openssl', ['req', '-in', 'request.pem', '-verify', '-noout', '-subject'], folder)
      expect(said).to.include('CN = *.news.cdn.example.net')
    })
  })

  it('needs a subject certificates can name', () => {
    const faulty = {
      ...subject,
      hostname: 'a b',
      country: 'USA',
      state: ' ',
      city: 'a\nb',
      organization: 'x'.repeat(65),
    }
    expect(subjectFaults(subject)).to.deep.equal([])
    expect(subjectFaults(faulty).map(({ path }) => path)).to.deep.equal([
      ...['hostname', 'country', 'state', 'city', 'organization'],
    ])
  })
})

const pem = (label: string, body: string) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`

/** The same with letters in its last year, which its own signature is not asked about where it is the last of a chain. */
function withoutEnd({ crt }: Issued): string {
  const der = Buffer.from(crt.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
  der.write('xx', der.indexOf('360101000000Z'))
  return pem('CERTIFICATE', der.toString('base64').replaceAll(/.{64}/g, '$&\n'))
}

const ed25519 = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const encryptedKey = () =>
  generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString()
