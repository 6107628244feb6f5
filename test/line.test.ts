import { expect } from 'chai'
import { ApiError } from '../api/config/errors.js'
import { Line } from '../api/flow/line.js'

/** Work that ends when the test says so. */
function held() {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, over }
}
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: ApiError) => (error instanceof ApiError ? error.code : `${error}`),
  )

describe('a line of large work', () => {
  it('has one at work at a time, in the order they came, whatever becomes of each', async () => {
    const line = new Line(10)
    const order: number[] = []
    let atWork = 0
    const works = Array.from({ length: 8 }, (_, at) =>
      line.run(async () => {
        atWork += 1
        expect(atWork).to.equal(1)
        order.push(at)
        await new Promise((resolve) => setImmediate(resolve))
        atWork -= 1
        if (at % 3 === 0) throw new Error('fails')
      }),
    )
    await Promise.allSettled(works)
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7])
    expect(await line.run(async () => 'free again')).to.equal('free again')
  })

  it('begins nothing for who has left, and gives the place to another', async () => {
    const line = new Line(2)
    const first = held()
    const begun: string[] = []
    const run = (name: string, gone?: AbortSignal) => codeOf(line.run(async () => begun.push(name), gone))
    const working = line.run(() => first.over)
    const leaving = new AbortController()
    const left = run('left', leaving.signal)
    const stays = run('stays')
    expect(await run('too many')).to.equal('crowded')
    leaving.abort()
    expect(await left).to.equal('client-gone')
    const next = run('next')
    expect(await run('gone before it came', AbortSignal.abort())).to.equal('client-gone')
    first.end()
    expect(await Promise.all([codeOf(working), stays, next])).to.deep.equal(['done', 'done', 'done'])
    expect(begun).to.deep.equal(['stays', 'next'])
  })
})
