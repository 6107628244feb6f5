import { expect } from 'chai'
import fc from 'fast-check'
import { jsonParts, LazyList } from '../api/flow/jsonText.js'
import { bytesOf } from '../api/middleware/answerBytes.js'
import { etagOf } from '../api/middleware/entityTag.js'
import { sortAndPage } from '../api/routes/crud/lists.js'

describe('an answer that is made in slices', () => {
  const anything = fc.anything({ withDate: true, withNullPrototype: true, withObjectString: true, maxDepth: 5 })

  it('is the text that JSON has for it', () => {
    fc.assert(
      fc.property(anything, fc.array(anything), (value, list) => {
        const given = { value, list, none: undefined, deep: { list, deeper: { list: [{ list }] } } }
        const lazy = { ...given, lazy: new LazyList(list, (one) => ({ one })) }
        const text = JSON.stringify({ ...given, lazy: list.map((one) => ({ one })) })
        expect([...jsonParts(lazy)].join('')).to.equal(text)
        expect(JSON.stringify(lazy)).to.equal(text)
      }),
    )
  })

  it('has the bytes and the tag it would have at once', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => ({ id: at, name: `ü€😀 ${at}` }))
    const text = JSON.stringify({ response: rows })
    for (const response of [rows, new LazyList(rows, (row) => row)]) {
      const { bytes, etag } = await bytesOf({ response })
      expect(Buffer.from(bytes).toString() === text).to.equal(true)
      expect(etag).to.equal(etagOf(text))
    }
    const raw = await bytesOf({ raw: { body: Buffer.from(text), contentType: 'text/plain' } })
    expect([raw.etag, raw.contentType]).to.deep.equal([etagOf(text), 'text/plain'])
    expect((await bytesOf({ raw: { body: '', contentType: 'text/plain' } })).etag).to.equal(etagOf(''))
  })
})

describe('a long list', () => {
  it('has the order that a short one has', () => {
    const numbers = fc.array(fc.nat({ max: 50 }), { minLength: 1000, maxLength: 1100 })
    fc.assert(
      fc.property(numbers, fc.constantFrom('asc', 'desc'), (values, sortOrder) => {
        const rows = values.map((value, place) => ({ value, place }))
        const sign = sortOrder === 'asc' ? 1 : -1
        expect(sortAndPage(rows, { sortOrder }, 'value')).to.deep.equal(
          rows.toSorted((a, b) => sign * (a.value - b.value) || a.place - b.place),
        )
      }),
      { numRuns: 20 },
    )
  })
})
