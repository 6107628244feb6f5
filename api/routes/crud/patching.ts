import type { Endpoint } from '../../operations/endpoint.js'

/**
 * A route that changes a record, and beside it the one by which PATCH does, where there is a body for that: a JSON merge
 * patch (RFC 7396) of the record's fields. Who may, on which condition and with what consequence is that of the first.
 */
export function withPatch(route: Endpoint): readonly Endpoint[] {
  if (!('write' in route) || !route.patch) return [route]
  const { patch, ...plain } = route
  const { prepare, write } = plain
  const asPatch = <I extends object>(input: I) => ({ ...input, partial: true as const })
  return [
    plain,
    {
      ...plain,
      method: 'PATCH',
      summary: `${plain.summary}: only the fields given, null clears`,
      body: patch,
      ...(prepare ? { prepare: (input) => prepare(asPatch(input)) } : {}),
      write: (input, transaction) => write(asPatch(input), transaction),
    },
  ]
}
