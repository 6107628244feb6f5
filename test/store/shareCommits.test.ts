import { expect } from 'chai'
import type { Outcome } from '../../api/store/groupCommit.js'
import { groupCommit } from '../../api/store/groupCommit.js'

const item = (revision: number) => ({ revision })

describe('shared commits', () => {
  it('take few commits for many who append at once', async () => {
    const sizes: number[] = []
    const { append } = groupCommit(async (items) => {
      sizes.push(items.length)
      return { committed: items.length }
    })
    const counts = await Promise.all(Array.from({ length: 200 }, (_, index) => append([item(index + 1)])))
    expect(counts).to.deep.equal(Array(200).fill(1))
    expect(sizes).to.deep.equal([200])
  })

  it('let those who come during a commit share the next', async () => {
    const sizes: number[] = []
    let late: Promise<number>[] = []
    const { append } = groupCommit(async (items) => {
      sizes.push(items.length)
      if (sizes.length === 1) late = [append([item(2)]), append([item(3), item(4)])]
      return { committed: items.length }
    })
    expect(await append([item(1)])).to.equal(1)
    expect(await Promise.all(late)).to.deep.equal([1, 2])
    expect(sizes).to.deep.equal([1, 3])
  })

  const table: [string, Outcome, unknown[]][] = [
    ['all', { committed: 4 }, [1, 2, 1]],
    ['part of the second', { committed: 2 }, [1, 1, 0]],
    ['none', { committed: 0 }, [0, 0, 0]],
    ['part, then a failure', { committed: 2, error: 'gone' }, [1, 'gone', 'gone']],
    ['a failure', { committed: 0, error: 'gone' }, ['gone', 'gone', 'gone']],
  ]
  for (const [what, outcome, expected] of table) {
    it(`tell each its share when the commit held ${what}`, async () => {
      const late: Promise<unknown>[] = []
      const { append } = groupCommit(async (items) => {
        if (items[0]?.revision !== 1) return { committed: items.length }
        late.push(append([item(5)]).catch((error: unknown) => error))
        return outcome
      })
      const groups = [[item(1)], [item(2), item(3)], [item(4)]]
      const shares = await Promise.all(groups.map((group) => append(group).catch((error: unknown) => error)))
      expect(shares).to.deep.equal(expected)
      // Who came meanwhile has built upon all of them.
      expect(await late[0]).to.equal(outcome.committed === 4 ? 1 : (outcome.error ?? 0))
    })
  }

  it('go on after a commit that threw', async () => {
    let fails = true
    const { append } = groupCommit(async (items) => {
      if (fails) throw new Error('broken')
      return { committed: items.length }
    })
    expect(await append([item(1)]).catch((error: Error) => error.message)).to.equal('broken')
    fails = false
    expect(await append([item(1)])).to.equal(1)
  })
})
