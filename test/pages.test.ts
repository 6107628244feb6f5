import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { routes } from './routes.js'

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

describe('a person with a browser', () => {
  let server: TestServer
  before(async () => {
    server = await buildServer()
  })
  after(() => server.close())

  const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    fetch(`${server.url}${path}`, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) })
  const signIn = (p: string) =>
    ask('POST', '/login', form, new URLSearchParams({ u: server.admin.username, p }).toString())

  it('finds a page at /, whose links are there, and which runs nothing and asks no other host', async () => {
    const answer = await ask('GET', '/', browser)
    const html = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8'])
    expect((await ask('HEAD', '/', browser)).status).to.equal(200)
    expect(html)
      .to.contain('<form method="post" action="/login">')
      .and.to.not.match(/<script|javascript:|\bon\w+=|\/\/\w/i)
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, path]) => path!)
    expect(links).to.include.members(['/api/openapi.json', '/README.md'])
    for (const path of links) expect((await ask('GET', path, browser)).status, path).to.equal(200)
    const policy = answer.headers.get('content-security-policy')!
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html)!
    const hash = createHash('sha256').update(style).digest('base64')
    expect(policy.split('; ').sort()).to.deep.equal([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      `style-src 'sha256-${hash}'`,
    ])
    // Else a browser calls the form's origin null, over plain HTTP, and it would be refused as another site's.
    expect(answer.headers.get('referrer-policy')).to.equal('same-origin')
  })

  it('signs in and out by forms, is told why not, and goes back to the page', async () => {
    const refused = await signIn('wrong <b>')
    expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([401, 'text/html; charset=utf-8'])
    expect(await refused.text())
      .to.contain('role="alert">Invalid username or password.')
      .and.to.not.contain('<b>')
    const empty = await ask('POST', '/login', form, 'u=&p=')
    expect([empty.status, await empty.text()]).to.satisfy(
      ([status, html]: [number, string]) => status === 400 && html.includes('required'),
    )
    const entered = await signIn(server.admin.password)
    expect([entered.status, entered.headers.get('location')]).to.deep.equal([303, '/'])
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
    const welcome = await (await ask('GET', '/', { ...browser, cookie })).text()
    expect(welcome).to.contain(`Signed in as ${server.admin.username}`).and.to.not.contain('action="/login"')
    for (const [, path] of welcome.matchAll(/href="([^"]+)"/g))
      expect((await ask('GET', path!, { ...browser, cookie })).status, path).to.equal(200)
    const left = await ask('POST', '/api/1.3/user/logout', { ...form, cookie }, '')
    expect([left.status, left.headers.get('location')]).to.deep.equal([303, '/'])
    expect(await (await ask('GET', '/', { ...browser, cookie })).text()).to.contain('action="/login"')
  })

  it('is not signed in by a form of another site', async () => {
    const body = new URLSearchParams({ u: server.admin.username, p: server.admin.password }).toString()
    const answer = await ask('POST', '/login', { ...form, 'sec-fetch-site': 'cross-site' }, body)
    expect([answer.status, answer.headers.getSetCookie()]).to.deep.equal([403, []])
  })

  it('leaves programs what they always got', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const answer = await ask('GET', '/', { accept })
      expect([answer.status, answer.headers.get('content-type')], accept).to.deep.equal([
        401,
        'application/json; charset=utf-8',
      ])
      const login = await ask('POST', '/login', { ...form, accept }, `u=admin&p=${server.admin.password}`)
      expect([login.status, JSON.parse(await login.text()).alerts[0].text], accept).to.deep.equal([
        200,
        'Successfully logged in.',
      ])
    }
    expect((await ask('GET', '/', { cookie: server.cookie() })).status).to.equal(404)
  })

  it('is told which methods a path has: everybody of what is for everybody, of the rest who is let in', async () => {
    const paths = new Map<string, { isPublic: boolean; methods: Set<string> }>([
      ['/', { isPublic: true, methods: new Set(['GET']) }],
    ])
    for (const { path, unversioned, method, role } of routes) {
      const at = (unversioned ? path : `/api/1.3${path}`).replaceAll(/:\w+/g, '1')
      const known = paths.get(at) ?? { isPublic: false, methods: new Set() }
      paths.set(at, { isPublic: known.isPublic || role === 'none', methods: known.methods.add(method) })
    }
    const wrong: string[] = []
    for (const [path, { isPublic, methods }] of paths) {
      for (const method of ['PUT', 'DELETE', 'PROPFIND'].filter((one) => !methods.has(one))) {
        const known = await ask(method, path, { cookie: server.cookie() })
        const stranger = await ask(method, path, {})
        const allow = known.headers.get('allow')?.split(', ') ?? []
        const told = [known.status, stranger.status, [...methods].every((one) => allow.includes(one))].join()
        if (told !== [405, isPublic ? 405 : 401, true].join()) wrong.push(`${method} ${path}: ${told} ${allow.join()}`)
      }
    }
    expect(wrong).to.deep.equal([])
  })
})
