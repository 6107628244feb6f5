import { defineKind } from '../defineKind.js'
import { integer, moment, oneOf, optional, text } from '../fields.js'

const revision = () => integer({ default: 0 })

export const fields = {
  /** The revision that was current when an update was last queued; an update is pending while it is not applied. */
  desired: revision(),
  applied: revision(),
  /** The same for content invalidation. */
  revalDesired: revision(),
  revalApplied: revision(),
  lastResult: optional(
    oneOf(['applied', 'failed'], { description: 'What the cache last said of an update it fetched.' }),
  ),
  lastMessage: optional(text({ max: 4096, lines: true })),
  lastAt: optional(moment()),
}

export default defineKind({
  kind: 'serverUpdates',
  description: 'Which updates a server should have applied, and which it has.',
  label: 'update state',
  key: null,
  idRefersTo: 'servers',
  fields,
  transient: true,
})
