import { expect } from 'chai'
import fc from 'fast-check'
import { join, split } from '../compiler/core/fileBody.js'

const bodyOf = (text: string, name: string) => split(Buffer.from(text), name)
const textOf = (body: Parameters<typeof join>[0]) => Buffer.from(join(body)).toString()
const shared = (text: string, name: string) => Buffer.from(bodyOf(text, name).bytes).toString()

const word = fc.constantFrom('e1', 'e11', 'E1', '-', '_', '.', ' ', '\n', 'é', '1', 'e1.', 'map http://')
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''))

describe('a body', () => {
  it('is put together again exactly', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('e1', 'e11', '1', 'é', ''), (text, name) => {
        expect(textOf(bodyOf(text, name))).to.equal(text)
      }),
    )
  })

  it('is the same for two servers whose texts differ in nothing but their names', () => {
    const lines = (name: string) => `# for ${name}\nmap http://${name}.vod.orb/ http://o/\nname=${name}`
    const [one, two] = [bodyOf(lines('edge-1'), 'edge-1'), bodyOf(lines('edge-22'), 'edge-22')]
    expect(two.hash).to.equal(one.hash)
    expect(textOf({ ...one, name: two.name })).to.equal(lines('edge-22'))
  })

  it('leaves the name alone inside other words', () => {
    expect(shared('edge1 edge10 xedge1 edge1-a edge1_a edge1.a /edge1/ "edge1"', 'edge1')).to.equal(
      ' edge10 xedge1 edge1-a edge1_a .a // ""',
    )
  })

  it('has another hash when the text differs, or the places of the name do', () => {
    expect(bodyOf('a e1 b', 'e1').hash).not.to.equal(bodyOf('a e1 c', 'e1').hash)
    expect(bodyOf(' e1 e1', 'e1').hash).not.to.equal(bodyOf(' e1 ', 'e1').hash)
    expect(bodyOf('e1  ', 'e1').hash).not.to.equal(bodyOf('  e1', 'e1').hash)
  })

  it('keeps a text without the name as it is', () => {
    const bytes = Buffer.from('nothing here')
    const body = split(bytes, 'edge1')
    expect(body).to.include({ bytes, name: '' })
    expect(join(body)).to.equal(bytes)
  })
})
