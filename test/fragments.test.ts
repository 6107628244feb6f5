import { expect } from 'chai'
import { facts, readFacts } from '../compiler/cdn/facts.js'
import { definePerService } from '../compiler/cdn/services.js'
import { defineFragment } from '../compiler/core/fragments.js'
import { unheard } from '../compiler/core/notes.js'
import { smallData } from './smallData.js'

const summed = defineFragment('test.summed', (_, text: string, ids: readonly number[], flag: boolean | null) => ({
  said: `${text} ${ids.join('+')} ${flag}`,
}))

/** What a kept part may depend on is what it is declared with; these are the ways around that. */
describe('a fragment', () => {
  it('cannot be declared once something was compiled, within a view for instance', () => {
    smallData().compile('remap.config', 'servers', 1)
    const cdn = { name: 'captured' }
    const late = () => defineFragment('test.late', () => cdn.name)
    expect(late).to.throw('the fragment test.late is declared after the first compile')
    expect(() => definePerService('test.late', () => cdn.name)).to.throw('declared after the first compile')
  })

  it('cannot have the name of another', () => {
    expect(() => defineFragment('snapshots.routerSettings', () => 1)).to.throw(
      'two fragments are named snapshots.routerSettings',
    )
  })

  it('is told apart by every key it is given, and by nothing else', () => {
    const data = smallData()
    const asking = { data: data.reader(), warn: unheard }
    const first = summed(asking, 'a', [1, 23], true)
    expect(summed({ data: data.reader(), warn: unheard }, 'a', [1, 23], true)).to.equal(first)
    const others = [
      summed(asking, 'b', [1, 23], true),
      summed(asking, 'a', [12, 3], true),
      summed(asking, 'a', [1, 23], false),
      summed(asking, 'a', [1, 23], null),
    ]
    expect(others.map(({ said }) => said)).to.deep.equal(['b 1+23 true', 'a 12+3 true', 'a 1+23 false', 'a 1+23 null'])
    expect(data.fragments.made).to.equal(5)
  })

  it('is not kept under fewer keys than it has', () => {
    const few = summed as unknown as (asking: object, text: string) => unknown
    expect(() => few({ data: smallData().reader(), warn: unheard }, 'a')).to.throw('test.summed has 3 keys, not 1')
  })

  it('gets facts as they were, though their text is what it is kept under', () => {
    const about = { version: 9, tier: 'first', parent: null, modern: true }
    expect(readFacts(facts(about))).to.deep.equal(about)
    expect(facts({ ...about, version: 8 })).to.not.equal(facts(about))
    expect(readFacts(facts(about))).to.be.frozen
  })
})
