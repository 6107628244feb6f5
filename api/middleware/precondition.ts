import { ApiError } from '../config/errors.js'
import type { RequestInput, WriteEndpoint } from '../operations/endpoint.js'
import { isOfOneState } from '../operations/endpoint.js'
import type { Data } from '../schema/data.js'
import { asId } from '../schema/data.js'
import { mustMatch, namesState, tagOf } from './entityTag.js'
import type { Routers } from './routers.js'
import { queryOf } from './target.js'

/**
 * `If-Match` of a write. The state meant is what GET answers at the same address, or at the nearest address above it
 * that can be read (a list, for one of its entries); the record as it is read by id, whatever the address; or a list that
 * was asked for it alone. Where nothing can be read there is no state to be named, so only `*` matches.
 *
 * Returns the check, to be run on the data the write is decided on.
 */
export function preconditionOf(
  endpoint: WriteEndpoint,
  input: RequestInput,
  path: string,
  routers: Routers,
): (data: Data) => void {
  const isChange = isOfOneState(endpoint) || endpoint.subject
  if (!isChange || !namesState(input)) return () => undefined
  return (data) => {
    const { kind, id } = endpoint.subject?.(input, data) ?? {}
    const self = kind === undefined || id === undefined ? null : { kind, id }
    mustMatch(input, data, { self, tags: (at) => tagsAt({ endpoint, input, path, routers }, at) })
  }
}

interface Asking {
  readonly endpoint: WriteEndpoint
  readonly input: RequestInput
  readonly path: string
  readonly routers: Routers
}

/** The opaque parts of the ETags of all answers that are meant, with what they give on demand too, the likeliest first. */
function* tagsAt({ endpoint, input, path, routers }: Asking, data: Data): Generator<string> {
  const subject = answered(() => endpoint.subject?.(input, data) ?? null)
  if (subject) yield tagOf(subject.answer)
  let isList = false
  for (const { found, entry } of readableFrom(path, routers)) {
    const { endpoint: reading, params } = found
    const declared = new Set(Object.keys(reading.query ?? {}))
    const names = Object.entries(subject?.names ?? (entry === null ? {} : { id: entry }))
    const queries = [
      ...(isList ? [] : [queryOf(declared, input)]),
      ...names.filter(([name]) => declared.has(name)).map(([name, value]) => ({ [name]: value })),
    ]
    const flags = Object.entries(reading.query ?? {}).flatMap(([name, { type }]) => (type === 'boolean' ? [name] : []))
    for (const query of queries.flatMap((plain) => [plain, ...flags.map((flag) => ({ ...plain, [flag]: 'true' }))])) {
      const answer = answered(() => reading.read({ ...input, params, query, body: undefined }, data))
      if (answer) yield tagOf(answer)
    }
    if (isList) return
    isList = true
  }
}

/** What can be read at an address and above it, with the id that the address has next. */
function* readableFrom(path: string, routers: Routers) {
  let entry: string | null = null
  for (let at = path; at.includes('/'); at = at.slice(0, at.lastIndexOf('/'))) {
    const found = routers.find('GET', at)
    if (found && 'read' in found.endpoint) yield { found: { ...found, endpoint: found.endpoint }, entry }
    entry = asId(at.slice(at.lastIndexOf('/') + 1).replace(/\.json$/, ''))?.toString() ?? null
  }
}

/** Nothing, where it is refused. */
function answered<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
