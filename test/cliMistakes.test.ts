import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { expect } from 'chai'
import { writeOutput } from '../api/cli/wholeFile.js'
import { BadSetting } from '../api/config/errors.js'
import { packageRoot } from '../api/config/packageRoot.js'
import { readSettings } from '../api/config/settings.js'
import { variables } from '../api/config/variables.js'
import { childArguments } from './childArguments.js'

interface Said {
  readonly code: number | null
  readonly lines: readonly string[]
}

describe('mistakes at the command line', function () {
  this.timeout(120_000)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-mistakes-'))
    expect(run(['import', json('empty.json')], { DATA_DIR: at('made') }).lines).to.deep.equal([])
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const at = (name: string): string => join(folder, name)
  const json = (name: string): string => {
    writeFileSync(at(name), '{}')
    return at(name)
  }
  const run = (words: readonly string[], env: Record<string, string> = {}): Said => {
    const { status, stderr } = spawnSync(process.execPath, [...childArguments('api/main'), ...words], {
      env: { PATH: process.env.PATH, PORT: '0', WORKERS: '1', ADMIN_PASSWORD: 'a-Password-of-tests', ...env },
      encoding: 'utf8',
      cwd: packageRoot,
      timeout: 60_000,
    })
    return { code: status, lines: stderr.split('\n').filter(Boolean) }
  }
  const refuses = (words: readonly string[], env: Record<string, string>, text: RegExp): void => {
    const { code, lines } = run(words, env)
    const what = `${words.join(' ')}: ${lines.join('\n')}`
    expect(code, what).to.equal(1)
    expect(lines, what).to.have.length(1)
    expect(lines[0]).to.match(text)
  }

  it('takes nothing from a place where nothing is, and makes nothing there', () => {
    const keys = { VAULT_KEY: 'a new key of the tests', VAULT_KEY_OLD: 'an old key of the tests' }
    for (const words of [
      ['export', at('x.json')],
      ['backup', at('x.backup')],
      ['compile', '--cdn', 'ALL', '--out', at('x')],
      ['user', 'password', 'admin'],
      ['journal', 'trim', '--days', '1'],
      ['vault', 'rotate'],
    ]) {
      refuses(
        words,
        { DATA_DIR: at('misspelt'), ...(words[0] === 'vault' ? keys : {}) },
        /There is no store in .*misspelt/,
      )
    }
    expect(readdirSync(folder).sort()).to.deep.equal(['empty.json', 'made'])
  })

  it('says in one line which file the system refuses', () => {
    const DATA_DIR = at('made')
    refuses(['export', at('no/folder.json')], { DATA_DIR }, /folder\.json cannot be written: ENOENT/)
    refuses(['backup', at('no/folder.backup')], { DATA_DIR }, /folder\.backup cannot be written: ENOENT/)
    refuses(['export', '/dev/full'], { DATA_DIR }, /\/dev\/full cannot be written: ENOSPC/)
    refuses(['backup', '/dev/full'], { DATA_DIR }, /\/dev\/full cannot be written: ENOSPC/)
    refuses(['compile', '--cdn', 'ALL', '--out', at('x')], { DATA_DIR: at('empty.json') }, /empty\.json/)
    expect(run(['export', '/dev/null'], { DATA_DIR }).code).to.equal(0)
    expect(run(['backup', '/dev/null'], { DATA_DIR }).code).to.equal(0)
    mkdirSync(at('odd/session-secret'), { recursive: true })
    refuses(['serve'], { DATA_DIR: at('odd') }, /EISDIR|session-secret/)
    rmSync(at('odd'), { recursive: true })
  })

  it('wants of the first administrator what it wants of every password', () => {
    refuses(['serve'], { DATA_DIR: at('weak'), ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD: Password must be/)
  })

  it('says what EDGEWRIGHT_URL has to be', () => {
    refuses(['backup', at('x.backup')], { EDGEWRIGHT_URL: '127.0.0.1:8080' }, /EDGEWRIGHT_URL must begin with http/)
    refuses(['backup', at('x.backup')], { EDGEWRIGHT_URL: 'http://127.0.0.1:1' }, /does not answer/)
    expect(existsSync(at('x.backup'))).to.equal(false)
  })

  it('says how it is used where a word is not one of those there are', () => {
    for (const words of [
      ['export', '--url', '127.0.0.1:8080'],
      ['login', 'ops.example.net'],
      ['completion', 'tcsh'],
    ])
      expect(run(words, {}).code, words.join(' ')).to.equal(2)
  })

  it('keeps the file that was there when the new one breaks off', async () => {
    const file = at('kept.json')
    writeFileSync(file, 'the old one')
    const source = Readable.from(
      (async function* () {
        yield 'the n'
        throw new Error('broken off')
      })(),
    )
    await writeOutput(file, [source], { mode: 0o600 }).then(
      () => expect.fail('it was written'),
      (error: Error) => expect(error.message).to.equal('broken off'),
    )
    expect(readFileSync(file, 'utf8')).to.equal('the old one')
    expect(existsSync(`${file}.partial`)).to.equal(false)
    await writeOutput(file, [Readable.from(['the new one'])], { mode: 0o600 })
    expect(readFileSync(file, 'utf8')).to.equal('the new one')
  })
})

/** Whatever answers at an address: another service, a page to log in at a network, one that dies, one that cuts. */
describe('commands that ask an address', function () {
  this.timeout(60_000)

  it('say in one line that what is there is no service, and keep the file that was there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewright-asked-'))
    let sent = ''
    const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(sent)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const EDGEWRIGHT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const file = join(folder, 'kept')
    writeFileSync(file, 'the old one')
    const said = async (words: readonly string[], url = EDGEWRIGHT_URL) => {
      const child = spawn(process.execPath, [...childArguments('api/main'), ...words], {
        env: { PATH: process.env.PATH, EDGEWRIGHT_URL: url, EDGEWRIGHT_TOKEN: 'a-token' },
        cwd: packageRoot,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')])
      return [code, text.replaceAll(url, 'URL').replaceAll(file, 'FILE')]
    }
    const answer = (body: string, length: number | null = null) =>
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${length === null ? 'connection: close' : `content-length: ${length}`}\r\n\r\n${body}`
    const foreign = 'URL answered what is no JSON of an Edgewright; is one there?'
    const cut = 'URL broke off its answer: aborted'
    try {
      for (const [words, given, text] of [
        [['export', file], answer('{"cdns":[{"name":', 1000), cut],
        [['export', file], answer('<html>'), foreign],
        [['export', file], answer('null'), foreign],
        [['get', 'cdns'], answer('{"response":[', 1000), cut],
        [['get', 'cdns'], answer(''), 'the answer is no JSON, though it says so; is an Edgewright there?'],
        [['check', 'cdn'], answer('3'), foreign],
        [['snapshot', 'cdn'], answer(''), foreign],
        [['snapshot', 'cdn'], answer('{"alerts":3}'), foreign],
        [['backup', file], answer('{"format":"edgewright-backup"', 1000), cut],
        [['backup', file], answer('not a backup'), 'FILE was not written: what came is no backup, or is cut off'],
      ] as const) {
        sent = given
        expect(await said(words), `${words[0]}: ${given}`).to.deep.equal([1, `edgewright: ${text}\n`])
      }
      sent = 'HTTP/1.1 400 Bad Request\r\n\r\n'
      expect(await said(['get', 'cdns'], EDGEWRIGHT_URL.replace('http:', 'https:'))).to.deep.equal([
        1,
        'edgewright: URL does not answer: no https is understood there; is it http://?\n',
      ])
      expect([readdirSync(folder), readFileSync(file, 'utf8')]).to.deep.equal([['kept'], 'the old one'])
    } finally {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('settings', () => {
  for (const [name, values] of Object.entries({
    PORT: ['x', '-1', '70000', '80a'],
    WORKERS: ['0', '257', 'two'],
    LOG_LEVEL: ['loud'],
    CACHE_MB: ['0', '3', 'big'],
    SHUTDOWN_SECONDS: ['-1', '1.5', '3601'],
    TRUST_PROXY: ['many', '10.0.0.0/99', 'true'],
    PUBLIC_URL: ['cdn.example.net', 'ftp://cdn.example.net'],
    ACCESS_LOG: ['yes', 'true', '2'],
    SECURE_COOKIES: ['yes', 'true', '2'],
    INFLUXDB_TLS: ['yes', 'true', '2'],
    INFLUXDB_USER: ['without a password', 'with:colon'],
    INFLUXDB_PASSWORD: ['without a user'],
    INFLUXDB_HOSTS: ['influx.example.net', 'http://influx.example.net', 'a,,b', 'a:b'],
    SESSION_SECRET: ['short', 'fifteen bytes 5'],
    METRICS_TOKEN: ['short'],
    SMTP_URL: ['mail.example.net', 'http://mail.example.net', 'smtp://'],
    MONGODB_URI: ['localhost', 'http://localhost', 'mongodb://', 'mongodb:///cdn'],
    HOST: ['http://127.0.0.1', 'a host', '127.0.0.1:8080', '-x'],
    VAULT_KEY: ['x', 'fifteen bytes 5'],
    ADMIN_PASSWORD: ['short', 'x'.repeat(1025)],
  })) {
    it(`${name} is refused when it cannot be meant`, () => {
      for (const value of values)
        expect(() => readSettings({ [name]: value }), `${name}=${value}`).to.throw(BadSetting, name)
    })
  }

  it('are all in the README and in --help', () => {
    const names = Object.keys(variables.properties)
    const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
    const help = spawnSync(process.execPath, [...childArguments('api/main'), '--help'], {
      encoding: 'utf8',
      cwd: packageRoot,
    }).stdout
    for (const text of [readme, help]) {
      for (const name of names) expect(text, name).to.match(new RegExp(`\\b${name}\\b`))
    }
  })

  it('that cannot be used are all named at once, and none that may hold a password is repeated', () => {
    const env = {
      VAULT_KEY: 'my key',
      ADMIN_PASSWORD: 'hunter2',
      SECURE_COOKIES: 'true',
      TLS_CERT: '/nowhere/cert.pem',
      PORT: 'x',
      WORKERS: '0',
      ACCESS_LOG: 'yes',
      SMTP_URL: 'a:secret@mail',
      MONGODB_URI: 'b:secret@db',
    }
    const lines = [
      "PORT must be a whole number from 0 to 65535, not 'x'",
      "WORKERS must be a whole number from 1 to 256, not '0'",
      "ACCESS_LOG must be 0 or 1, not 'yes'",
      'SMTP_URL must begin with smtp:// or smtps://',
      'MONGODB_URI must begin with mongodb:// or mongodb+srv://, and name a host',
      'SESSION_SECRET must be set with MONGODB_URI: instances that share a store must share it',
      'VAULT_KEY must be 32 bytes in hex or base64, or a passphrase of 16 characters or more',
      'ADMIN_PASSWORD: Password must be greater than 7 chars.',
      "SECURE_COOKIES must be 0 or 1, not 'true'",
      'TLS_CERT and TLS_KEY are set together, or neither is',
    ]
    expect(() => readSettings(env))
      .to.throw(BadSetting)
      .that.satisfies(({ message }: Error) => {
        expect(message.split('\n')).to.have.members(lines)
        return true
      })
  })

  it("that are misspelt are warned of, and what is another program's is not", () => {
    const { warnings } = readSettings({
      SECURE_COOKIE: '1',
      MONGODB_URL: 'x',
      EDGEWRIGHT_VAULT_KEY: 'x',
      ANSWER_CACHE_MB: '4',
      tls_cert: 'x',
      VAULT_KEY_OLD_2: 'x',
      EDGEWRIGHT_URL: 'x',
      EDGEWRIGHT_TOKEN: 'x',
      ...Object.fromEntries(
        ['HOSTNAME', 'POST', 'HOME', 'PATH', 'PORTS', 'LOGNAME', 'HTTP_PORT'].map((name) => [name, 'x']),
      ),
    })
    expect(warnings).to.deep.equal([
      'SECURE_COOKIE is not read; SECURE_COOKIES is',
      'MONGODB_URL is not read; MONGODB_URI is',
      'EDGEWRIGHT_VAULT_KEY is not read; VAULT_KEY is',
      'ANSWER_CACHE_MB is not read; CACHE_MB is',
      'tls_cert is not read; TLS_CERT is',
    ])
  })

  it('that are empty are not given', () => {
    const empty = Object.fromEntries(Object.keys(variables.properties).map((name) => [name, ' ']))
    expect(readSettings(empty)).to.deep.equal(readSettings({}))
  })
})
