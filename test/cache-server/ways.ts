import { expect } from 'chai'
import type { Answer } from './ask.js'
import type { Chain, Tier } from './chain.js'
import { edgeAddress, tokenKey, urlSigKeys } from './chainCdn.js'
import { originHost } from './chainServices.js'
import { eventually } from './eventually.js'
import type { Token } from './signUrl.js'
import { pathWithToken, signedPath } from './signUrl.js'

/** Who is let in, and which way requests take from there. Ends with the first mid gone. */
export function ways(chain: () => Chain): void {
  /** What the origin was asked for a service since last time. */
  const input = (xmlId: string) => chain().origin.received(originHost(xmlId))

  describe('signed URLs', () => {
    const signer = { keyIndex: 3, key: urlSigKeys.key3!, expires: 4_000_000_000 }
    const statusOf = async (xmlId: string, path: string) => (await chain().get(xmlId, path)).status

    it('are asked for: 403 without, with a wrong key, after the end', async () => {
      const host = chain().originAuthority('signed')

      expect(await statusOf('signed', '/a/b')).to.equal(403)
      expect(await statusOf('signed', signedPath(host, '/a/b', { ...signer, key: 'no key of ours' }))).to.equal(403)
      expect(await statusOf('signed', signedPath(host, '/a/b', { ...signer, expires: 1_000_000_000 }))).to.equal(403)
      expect(input('signed')).to.deep.equal([])
    })

    it('are served, and the signature goes no further', async () => {
      const path = signedPath(chain().originAuthority('signed'), '/a/b', signer)

      expect(await statusOf('signed', path)).to.equal(200)
      expect(input('signed').map(({ url }) => url)).to.deep.equal(['/a/b'])
    })

    it('are signed over the name clients use when the profile of the service says `pristineurl`', async () => {
      const path = signedPath(chain().edgeAuthority('signed-pristine'), '/a/b', signer)
      const origins = signedPath(chain().originAuthority('signed-pristine'), '/a/b', signer)

      expect(await statusOf('signed-pristine', origins)).to.equal(403)
      expect(await statusOf('signed-pristine', path)).to.equal(200)
    })
  })

  describe('signed tokens', () => {
    const token = { ...tokenKey, expires: 4_000_000_000 }
    const statusOf = async (pattern: string, other: Partial<Token> = {}) =>
      (await chain().get('tokened', pathWithToken('/a/b', { ...token, pattern, ...other }))).status

    it('are asked for: 403 without, for another URL, with a wrong key, after the end', async () => {
      expect((await chain().get('tokened', '/a/b')).status).to.equal(403)
      expect(await statusOf('http://[^/]*/c/.*')).to.equal(403)
      expect(await statusOf('http://.*', { key: 'no key of ours' })).to.equal(403)
      expect(await statusOf('http://.*', { expires: 1_000_000_000 })).to.equal(403)
    })

    it('are served for the URL clients use', async () => {
      expect(await statusOf(`http://${chain().edgeAuthority('tokened')}/a/.*`)).to.equal(200)
    })
  })

  describe('whoever asks', () => {
    const statusAt = (tier: Tier, from: string, method = 'GET') =>
      chain()
        .ask(tier, 'query-kept', { path: '/asked', from, method })
        .then(
          ({ status }) => status,
          () => 'cut off',
        )
    const stranger = '127.0.0.2'

    it('is served by an edge, but may not purge', async () => {
      expect(await statusAt('edge', stranger)).to.equal(200)
      expect(await statusAt('edge', stranger, 'PURGE')).to.equal(403)
    })

    it('is cut off by a mid, unless it is an edge below it, which may not purge either', async () => {
      expect(await statusAt('mid', stranger)).to.equal('cut off')
      expect(await statusAt('mid', edgeAddress)).to.equal(200)
      expect(await statusAt('mid', edgeAddress, 'PURGE')).to.equal(403)
    })

    it('may purge from the machine itself', async () => {
      expect(await statusAt('edge', '127.0.0.1', 'PURGE')).to.equal(200)
      expect(await statusAt('mid', '127.0.0.1', 'PURGE')).to.equal(200)
    })
  })

  describe('the way', () => {
    it('is where a regex remap says', async () => {
      await chain().get('moved', '/old/thing')
      await chain().get('moved', '/other')

      expect(input('moved').map(({ url }) => url)).to.deep.equal(['/new/thing', '/other'])
    })

    it('leads past the shield of an origin', async () => {
      expect((await chain().get('shielded', '/a')).status).to.equal(200)
      expect(input('shielded').map(({ door }) => door)).to.deep.equal(['secondSite'])
    })

    it('ends with 404 for a host that no service has', async () => {
      expect((await chain().get('no-such-service', '/')).status).to.equal(404)
    })
  })

  describe('an invalidation rule', () => {
    it('makes both tiers ask the origin again for what it matches, and for nothing else', async () => {
      for (const path of ['/films/a', '/films/b', '/songs/a']) {
        await chain().get('purged', path)
        expect((await chain().get('purged', path)).found.edge1).to.equal('hit')
      }
      const assetUrl = `http://${chain().originAuthority('purged')}/films/.*`
      const rules = [{ assetUrl, startTime: new Date().toISOString() }]
      // Parents first: an edge that is ahead of them would renew what it has from what they still keep.
      await chain().invalidate('mid', rules)
      const isRenewed = ({ found }: Answer, cache: string) => found[cache] !== 'hit'
      await eventually(
        () => chain().ask('mid', 'purged', { path: '/films/b' }),
        (answer) => isRenewed(answer, 'mid1'),
      )
      input('purged')
      await chain().invalidate('edge', rules)
      const films = () => chain().get('purged', '/films/a')
      const renewed = await eventually(films, (answer) => isRenewed(answer, 'edge1'))
      const requests = input('purged')

      expect(renewed.found).to.deep.equal({ edge1: 'stale', mid1: 'stale' })
      expect(requests.map(({ url, status }) => ({ url, status }))).to.deep.equal([{ url: '/films/a', status: 304 }])
      expect((await chain().get('purged', '/songs/a')).found.edge1).to.equal('hit')
      // What was renewed within the second in which the rule was loaded counts as older than the rule.
      const kept = await eventually(films, ({ found }) => found.edge1 === 'hit')
      expect(kept.found.edge1).to.equal('hit')
    })
  })

  describe('TLS', () => {
    it('is spoken with clients and the origin, not between caches', async () => {
      const first = await chain().getByTls('secure', '/a')
      const inClear = await chain().get('secure', '/a')

      expect(first.status).to.equal(200)
      expect(first.found).to.deep.equal({ edge1: 'miss', mid1: 'miss' })
      expect(inClear.found.edge1).to.equal('hit')
      expect(input('secure').map(({ door }) => door)).to.deep.equal(['tls'])
    })

    it('is spoken in the versions that the profile of the service names', async () => {
      const old = await chain()
        .getByTls('modern-tls', '/a', 'TLSv1.2')
        .then(
          ({ status }) => status,
          () => 'refused',
        )

      expect(old).to.equal('refused')
      expect((await chain().getByTls('modern-tls', '/a', 'TLSv1.3')).status).to.equal(200)
      expect((await chain().getByTls('secure', '/b', 'TLSv1.2')).status).to.equal(200)
    })
  })

  describe('an origin of many sites', () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)

    it('is asked at all of them', async () => {
      for (const path of paths) expect((await chain().get('of-many-sites', path)).status).to.equal(200)

      expect(new Set(input('of-many-sites').map(({ door }) => door))).to.deep.equal(
        new Set(['firstSite', 'secondSite']),
      )
    })

    it('is asked at another while one answers 503', async () => {
      chain().origin.fail('firstSite')
      for (const path of paths) expect((await chain().get('of-many-sites', `/again${path}`)).status).to.equal(200)

      const answered = input('of-many-sites').filter(({ status }) => status === 200)
      expect(new Set(answered.map(({ door }) => door))).to.deep.equal(new Set(['secondSite']))
    })
  })

  describe('the parent', () => {
    it('is the primary one, and the secondary while the primary is down', async () => {
      const before = await chain().get('failing-over', '/a')
      await chain().failOver()
      const after = await chain().get('failing-over', '/b')

      expect(before.found).to.deep.equal({ edge1: 'miss', mid1: 'miss' })
      expect(after.status).to.equal(200)
      expect(after.found).to.deep.equal({ edge1: 'miss', mid2: 'miss' })
    })
  })
}
