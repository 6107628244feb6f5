import { expect } from 'chai'
import type { Chain } from './chain.js'
import { originHost } from './chainServices.js'
import { eventually } from './eventually.js'

/** What clients get and what is kept of it: query strings, headers, types of services, ranges. */
export function content(chain: () => Chain): void {
  /** What the origin was asked for a service since last time. */
  const input = (xmlId: string) => chain().origin.received(originHost(xmlId))
  const range = (first: number, last: number) => ({ Range: `bytes=${first}-${last}` })

  describe('the query string', () => {
    it('is part of the cache key and reaches the origin with qstringIgnore 0', async () => {
      await chain().get('query-kept', '/a?n=1')
      const other = await chain().get('query-kept', '/a?n=2')
      const again = await chain().get('query-kept', '/a?n=1')

      expect(other.found).to.deep.equal({ edge1: 'miss', mid1: 'miss' })
      expect(again.found.edge1).to.equal('hit')
      expect(input('query-kept').map(({ url }) => url)).to.include.members(['/a?n=1', '/a?n=2'])
    })

    it('is no part of the cache key, but reaches the origin, with qstringIgnore 1', async () => {
      await chain().get('query-not-in-key', '/a?n=1')
      const other = await chain().get('query-not-in-key', '/a?n=2')

      expect(other.found.edge1).to.equal('hit')
      expect(input('query-not-in-key').map(({ url }) => url)).to.deep.equal(['/a?n=1'])
    })

    it('tells paths apart all the same with qstringIgnore 1', async () => {
      const other = await chain().get('query-not-in-key', '/b?n=1')

      expect(other.found).to.deep.equal({ edge1: 'miss', mid1: 'miss' })
    })

    it('is dropped at the edge with qstringIgnore 2', async () => {
      await chain().get('query-dropped', '/a?n=1')
      const other = await chain().get('query-dropped', '/a?n=2')

      expect(other.found.edge1).to.equal('hit')
      expect(input('query-dropped').map(({ url }) => url)).to.deep.equal(['/a'])
    })
  })

  describe('header rewrites', () => {
    it('work on requests and on answers at both tiers', async () => {
      const { headers } = await chain().get('rewritten', '/a')
      const [atOrigin] = input('rewritten')

      expect(headers).to.include({ 'x-at-edge': 'to the client', 'x-at-mid': 'to the edge' })
      expect(atOrigin?.headers).to.include({ 'x-from-edge': 'to the mid', 'x-from-mid': 'to the origin' })
    })

    it('leave other services alone', async () => {
      const { headers } = await chain().get('query-kept', '/plain')

      expect(headers).to.not.have.any.keys('x-at-edge', 'x-at-mid')
    })
  })

  describe('what may be kept', () => {
    it('is nothing for a service of type HTTP_NO_CACHE, which also does without mids', async () => {
      await chain().get('never-kept', '/a')
      const again = await chain().get('never-kept', '/a')

      expect(again.found).to.deep.equal({ edge1: 'miss' })
      expect(input('never-kept')).to.have.length(2)
    })

    it('is kept at the edge alone for a live service', async () => {
      const first = await chain().get('live', '/a')
      const again = await chain().get('live', '/a')

      expect([first.found, again.found]).to.deep.equal([{ edge1: 'miss' }, { edge1: 'hit' }])
      expect(input('live')).to.have.length(1)
    })

    it('is not what the origin forbids', async () => {
      await chain().get('query-kept', '/private/a')
      const again = await chain().get('query-kept', '/private/a')

      expect(again.found).to.deep.equal({ edge1: 'miss', mid1: 'miss' })
    })
  })

  describe('ranges', () => {
    it('bring the whole object in the background with rangeRequestHandling 1', async () => {
      const first = await chain().get('fetched-whole', '/a', range(0, 99))
      const later = await eventually(
        () => chain().get('fetched-whole', '/a', range(100, 199)),
        ({ found }) => found.edge1 === 'hit',
      )

      expect(first.status).to.equal(206)
      expect(later.headers['content-range']).to.match(/^bytes 100-199\//)
      expect(input('fetched-whole').map(({ headers }) => headers.range)).to.include(undefined)
    })

    it('are kept apart with rangeRequestHandling 2', async () => {
      await chain().get('range-in-key', '/a', range(0, 99))
      const same = await chain().get('range-in-key', '/a', range(0, 99))
      const other = await chain().get('range-in-key', '/a', range(100, 199))

      expect(same.found.edge1).to.equal('hit')
      expect(other.found).to.deep.equal({ edge1: 'miss', mid1: 'miss' })
      expect(input('range-in-key').map(({ headers }) => headers.range)).to.deep.equal(['bytes=0-99', 'bytes=100-199'])
    })

    it('are cut from slices of one size with rangeRequestHandling 3', async () => {
      await chain().get('sliced', '/a', range(0, 99))
      const other = await chain().get('sliced', '/a', range(100, 199))
      const whole = await chain().get('sliced', '/a')

      expect(other.found.edge1).to.equal('hit')
      expect(other.headers['content-range']).to.match(/^bytes 100-199\//)
      expect(whole.status).to.equal(200)
      expect(input('sliced').map(({ headers }) => headers.range)).to.deep.equal([`bytes=0-${1024 * 1024 - 1}`])
    })

    it('are kept apart without the query string with 2 and qstringIgnore 1', async () => {
      await chain().get('range-and-query', '/a?n=1', range(0, 99))
      const sameRange = await chain().get('range-and-query', '/a?n=2', range(0, 99))
      const otherRange = await chain().get('range-and-query', '/a?n=1', range(100, 199))

      expect(sameRange.found.edge1).to.equal('hit')
      expect(otherRange.found).to.deep.equal({ edge1: 'miss', mid1: 'miss' })
    })

    it('are cut from the same slices whatever the query string with 3 and qstringIgnore 1', async () => {
      await chain().get('slice-and-query', '/a?n=1', range(0, 99))
      const other = await chain().get('slice-and-query', '/a?n=2', range(100, 199))

      expect(other.found.edge1).to.equal('hit')
      expect(input('slice-and-query')).to.have.length(1)
    })
  })
}
