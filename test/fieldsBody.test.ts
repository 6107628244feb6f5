import { expect } from 'chai'
import type { ApiError } from '../api/config/errors.js'
import { fieldsBody } from '../api/operations/fieldsBody.js'
import { anyText, flag, integer, nested, oneOf, optional } from '../api/schema/fields.js'
import { routes } from './routes.js'

const trimmed = (text: string) => text.trim()
const order = fieldsBody({
  count: integer({ min: 1, max: 9, must: 'must be from 1 to 9' }),
  name: anyText({ normalize: trimmed }),
  urgent: optional(flag()),
  kind: oneOf(['a', 'b'], { default: 'a' }),
  inner: nested({ word: anyText(), note: optional(anyText()) }),
})
const whole = { count: 3, name: 'n', inner: { word: 'w' } }
const texts = (given: unknown, also?: Parameters<typeof order.read>[1]): readonly string[] => {
  try {
    order.read(given, also)
    return []
  } catch (error) {
    return (error as ApiError).texts
  }
}

describe('a body declared by fields', () => {
  it('has the defaults of what it leaves out, of fields within fields, too', () => {
    const read = { ...whole, urgent: null, kind: 'a', inner: { word: 'w', note: null } }
    expect(order.read(whole)).to.deep.equal(read)
    expect(order.read({ ...whole, urgent: null, kind: null, inner: { word: 'w', note: '' } })).to.deep.equal(read)
  })

  it('takes numbers and flags as text, and numbers for text', () => {
    const given = { count: '3', name: 5, urgent: '1', inner: { word: 7 } }
    expect(order.read(given)).to.deep.include({ count: 3, name: '5', urgent: true, inner: { word: '7', note: null } })
  })

  it('is refused with everything that is wrong, each by its name', () => {
    const required = ['count is required', 'name is required', 'inner.word is required']
    expect(texts({})).to.deep.equal(required)
    expect(texts(undefined)).to.deep.equal(required)
    expect(texts({ count: '', name: ' ', inner: { word: null } })).to.deep.equal(required)
    expect(texts({ ...whole, count: 10, urgent: 'soon', inner: { word: {} } })).to.deep.equal([
      'count must be from 1 to 9',
      'urgent must be a boolean',
      'inner.word must be a string',
    ])
    expect(texts({ ...whole, inner: 'w' })).to.deep.equal(['inner must be an object'])
    expect(texts([])).to.deep.equal(['The body must be a JSON object.'])
  })

  it('says what the data tell beside it, of what is right by itself', () => {
    const found: unknown[] = []
    const also = (given: object) => {
      found.push(given)
      return [{ path: 'name', text: 'name is taken' }]
    }
    expect(texts({ ...whole, count: 0 }, also)).to.deep.equal(['count must be from 1 to 9', 'name is taken'])
    expect(found[0]).to.have.property('name', 'n')
    expect(found[0]).not.to.have.property('count')
  })
})

describe('every route but a GET', () => {
  it('declares its body, or that it has none', () => {
    const silent = routes.filter(({ method, body }) => method !== 'GET' && body === undefined)
    expect(silent.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([])
  })
})
