import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { connect } from 'node:tls'
import { X509CertificateGenerator } from '@peculiar/x509'
import { expect } from 'chai'
import pino from 'pino'
import { BadSetting } from '../api/config/errors.js'
import { readSettings } from '../api/config/settings.js'
import type { Service } from '../api/server.js'
import { openService } from '../api/server.js'
import { createSocket } from '../api/wiring/createSocket.js'
import { admin, prepareData } from './preparedData.js'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A certificate that signs itself, and its key, as texts in PEM. */
async function selfSigned(name: string): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const made = await X509CertificateGenerator.createSelfSigned(
    { name: `CN=${name}`, keys, signingAlgorithm: algorithm },
    webcrypto,
  )
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { cert: made.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n` }
}

describe('HTTPS without a proxy', function () {
  this.timeout(30_000)
  let folder: string
  let service: Service
  const lines: { msg: string; why?: string[] }[] = []
  let heard = (): void => undefined
  const at = (name: string) => join(folder, name)

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-tls-'))
    put('first', await selfSigned('first'))
    await prepareData(at('data'), 'first start')
    const settings = readSettings({
      PORT: '0',
      DATA_DIR: at('data'),
      WORKERS: '1',
      TLS_CERT: at('live/cert.pem'),
      TLS_KEY: at('live/key.pem'),
    })
    const stream = {
      write: (line: string) => {
        lines.push(JSON.parse(line))
        heard()
      },
    }
    service = await openService(settings, { log: pino({ level: 'info' }, stream) })
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    service.server.closeAllConnections()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** As those who renew certificates do: a new folder, and then a link to it in place of the one before. */
  function put(name: string, { cert, key }: { cert: string; key: string }): void {
    mkdirSync(at(name))
    writeFileSync(at(`${name}/cert.pem`), cert)
    writeFileSync(at(`${name}/key.pem`), key)
    mkdirSync(at('live'), { recursive: true })
    for (const file of ['cert.pem', 'key.pem']) {
      symlinkSync(at(`${name}/${file}`), at(`live/${file}.new`))
      renameSync(at(`live/${file}.new`), at(`live/${file}`))
    }
  }

  const ask = (method: string, path: string, body?: object) =>
    new Promise<{ name: string; status: number; cookies: string[]; text: string; protocol: string }>(
      (resolve, reject) => {
        const { port } = service.server.address() as AddressInfo
        const agent = new Agent({ keepAlive: false, rejectUnauthorized: false, maxCachedSessions: 0 })
        const sent = request({ agent, host: '127.0.0.1', port, method, path, headers: { cookie } }, (response) => {
          const socket = response.socket as TLSSocket
          const found = { name: String(socket.getPeerCertificate().subject.CN), protocol: socket.getProtocol() ?? '' }
          let text = ''
          response.setEncoding('utf8').on('data', (piece) => {
            text += piece
          })
          response.on('end', () =>
            resolve({ ...found, status: response.statusCode!, cookies: response.headers['set-cookie'] ?? [], text }),
          )
        })
        sent.on('error', reject).end(body && JSON.stringify(body))
      },
    )
  let cookie = ''

  const told = (text: RegExp): Promise<void> =>
    new Promise((resolve) => {
      heard = () => void (lines.some(({ msg }) => text.test(msg)) && resolve())
      heard()
    })

  it('is served with the certificate in the files; cookies are Secure, and its own address says https', async () => {
    const login = await ask('POST', '/api/1.3/user/login', { u: admin.username, p: admin.password })
    expect([login.name, login.status, login.protocol]).to.deep.equal(['first', 200, 'TLSv1.3'])
    expect(login.cookies[0]).to.match(/; Secure$/)
    cookie = login.cookies[0]!.split(';')[0]!
    expect((await ask('GET', '/api/1.3/system/info')).text).to.contain('"tm.url":"https://127.0.0.1:0"')
    const plain = await fetch(`http://127.0.0.1:${(service.server.address() as AddressInfo).port}/livez`).catch(
      () => null,
    )
    expect(plain, 'plain HTTP').to.equal(null)
  })

  it('keeps the certificate when the new one cannot be used, says so once, and takes the next that can', async () => {
    const [second, third] = [await selfSigned('second'), await selfSigned('third')]
    put('mixed', { cert: second.cert, key: third.key })
    await told(/cannot be used, the one before stays/)
    expect((await ask('GET', '/livez')).name).to.equal('first')
    put('third', third)
    await told(/serving with the new certificate/)
    expect((await ask('GET', '/livez')).name).to.equal('third')
    const refused = lines.filter(({ msg }) => /cannot be used/.test(msg))
    expect(refused.map(({ why }) => why)).to.deep.equal([
      [`TLS_KEY: ${at('live/key.pem')} is not the key of the certificate in TLS_CERT`],
    ])
  })

  it('follows a folder that is a link to another, and one that is made anew', async () => {
    const pairs = await Promise.all(['one', 'other', 'again'].map(selfSigned))
    const fill = (name: string, { cert, key }: { cert: string; key: string }) => {
      mkdirSync(at(name))
      writeFileSync(at(`${name}/cert.pem`), cert)
      writeFileSync(at(`${name}/key.pem`), key)
    }
    const lead = (name: string) => {
      symlinkSync(at(name), at('next'))
      renameSync(at('next'), at('linked'))
    }
    fill('one', pairs[0]!)
    fill('other', pairs[1]!)
    lead('one')
    const tls = { cert: at('linked/cert.pem'), key: at('linked/key.pem') }
    const log = pino({ level: 'silent' })
    const socket = createSocket({ settings: { tls }, log, options: {}, answer: (_, response) => response.end() })
    await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
    const servedIn = (name: string) =>
      new Promise<string>((resolve, reject) => {
        const { port } = socket.address() as AddressInfo
        const asked = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(String(asked.getPeerCertificate().subject.CN))
          asked.destroy()
        }).on('error', reject)
      }).then((found) => (found === name ? null : found))
    const becomes = async (name: string) => {
      const patience = performance.now() + 15_000
      let other = await servedIn(name)
      while (other !== null && performance.now() < patience) {
        await delay(100)
        other = await servedIn(name)
      }
      expect(other, name).to.equal(null)
    }
    try {
      await becomes('one')
      lead('other')
      await becomes('other')
      rmSync(at('other'), { recursive: true })
      fill('other', pairs[2]!)
      await becomes('again')
    } finally {
      await new Promise((resolve) => socket.close(resolve))
    }
  })

  it('does not start with files that cannot be used, and says of each what is wrong', () => {
    writeFileSync(at('none.pem'), 'nothing')
    const faultsOf = (TLS_CERT: string, TLS_KEY: string) => {
      try {
        readSettings({ ...(TLS_CERT && { TLS_CERT }), ...(TLS_KEY && { TLS_KEY }) })
        return []
      } catch (error) {
        expect(error).to.be.instanceOf(BadSetting)
        return (error as Error).message.split('\n').map((line) => line.replaceAll(`${folder}/`, ''))
      }
    }
    const [cert, key, none, away] = [at('first/cert.pem'), at('first/key.pem'), at('none.pem'), at('away.pem')] as const
    const together = ['TLS_CERT and TLS_KEY are set together, or neither is']
    expect(faultsOf(cert, '')).to.deep.equal(together)
    expect(faultsOf('', key)).to.deep.equal(together)
    expect(faultsOf(cert, key)).to.deep.equal([])
    expect(faultsOf(away, away)).to.deep.equal([
      'TLS_CERT: away.pem cannot be read: ENOENT',
      'TLS_KEY: away.pem cannot be read: ENOENT',
    ])
    expect(faultsOf(none, key)).to.deep.equal(['TLS_CERT: none.pem is no certificate in PEM'])
    expect(faultsOf(cert, none)).to.deep.equal(['TLS_KEY: none.pem is no private key in PEM without a passphrase'])
    expect(faultsOf(cert, folder)).to.deep.equal([`TLS_KEY: ${folder} cannot be read: EISDIR`])
  })
})
