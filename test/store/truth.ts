import { expect } from 'chai'
import type { Entry } from '../../api/store/store.js'
import type { Answered, Client } from '../build.js'

/** A write that was asked for, by the name that no other has, and what was said of it. */
export interface Told {
  readonly name: string
  readonly answer: Answered
}

/** Makes a division of the name; the request is called the same every time. */
export async function tell(client: Client, name: string): Promise<Told> {
  const answer = await client.request('POST', '/api/1.3/divisions', { name }, { 'x-request-id': 'always-the-same' })
  return { name, answer }
}

/** How often each thing was said, for a line that says how hard a test was. */
export type Count = Record<'done' | 'nothing' | 'unknown', number>

/**
 * What was said to be done is in the journal, once; of what was said to have changed nothing there is no trace; where
 * the outcome was said to be unknown, the journal knows by the id that was given. Nothing else was said.
 */
export function expectTruth(told: readonly Told[], journal: readonly Entry[]): Count {
  const count: Count = { done: 0, nothing: 0, unknown: 0 }
  const ids = new Set(journal.map(({ id }) => id))
  const made = new Map<unknown, number>()
  for (const { kind, before, after } of journal.flatMap(({ changes }) => changes)) {
    if (kind === 'divisions' && before === null) made.set(after?.name, (made.get(after?.name) ?? 0) + 1)
  }
  for (const { name, answer } of told) {
    const { status, headers, text } = answer
    const times = made.get(name) ?? 0
    const id = headers.get('x-edgewright-entry')
    if (status === 200) {
      expect(times, `${name} was acknowledged`).to.equal(1)
      count.done++
      continue
    }
    expect(status, `${name}: ${text}`).to.equal(503)
    expect(headers.get('retry-after')).to.match(/^\d+$/)
    if (id === null) {
      expect(text).to.include('Nothing was changed')
      expect(times, `${name} was said to have changed nothing`).to.equal(0)
      count.nothing++
    } else {
      expect(text).to.include(id).and.include('unknown').and.not.include('Nothing was changed')
      expect(times, `${name} is there if entry ${id} is`).to.equal(ids.has(id) ? 1 : 0)
      count.unknown++
    }
  }
  return count
}
