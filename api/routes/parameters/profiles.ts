import { Type } from '@sinclair/typebox'
import { invalid } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { ReadEndpoint, RequestInput } from '../../operations/endpoint.js'
import { numberQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { RowOf, ValuesOf } from '../crud/accepting.js'
import { sortAndPage } from '../crud/lists.js'
import { type Bound, list, read, trimmed } from '../crud/readRoutes.js'
import type { Presenting } from '../crud/resource.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'
import { asGroupParameter, parameterShown } from './parameterShapes.js'
import { copied, exported, imported } from './profileCopies.js'

const params = Type.Optional(Type.Array(parameterShown, { description: 'Where one is read by its id.' }))

export default defineResource('profiles', {
  legacy: { numbers: ['cdn'] },
  shown: { params },
  present: { '1.3': (row, context) => (context.single ? { ...row, params: parametersOf(row.id, context) } : row) },
  routes: [
    withParams(
      list('/profiles', {
        role: 'any',
        filters: {
          param: { is: numberQuery('Only those with this parameter.', { min: 1 }), rows: withParameter },
          cdn: 'cdn',
          type: 'type',
        },
      }),
    ),
    trimmed('/profiles/trimmed', { role: 'any' }),
    withParams(read('/profiles/:id', { role: 'any' })),
    create<'profiles'>('/profiles', { role: 'oper', array: true, allow: ownDescription }),
    copied,
    update<'profiles'>('/profiles/:id', {
      role: 'oper',
      // interface.md: false when absent, unlike every other field.
      prepare: (values, { input }) => (input.partial ? values : { routingDisabled: false, ...values }),
      allow: ownDescription,
      text: ({ id }) => `Profile was updated: ${id}`,
    }),
    remove('/profiles/:id', { role: 'oper', text: () => 'Profile was deleted.' }),
    exported,
    imported,
  ],
})

function withParameter(rows: readonly Row[], id: string, data: Data): readonly Row[] {
  const has = new Set(data.get('parameters', Number(id))?.profiles ?? [])
  return rows.filter((row) => has.has(row.id))
}

/** Only what is written by hand must differ: copies and imports carry the description of their source. */
function ownDescription(
  _asked: RequestInput,
  { data }: Transaction,
  before: RowOf<'profiles'> | null,
  values: ValuesOf<'profiles'>,
): void {
  if (values.description === undefined || values.description === before?.description) return
  const same = data.all('profiles').find(({ description }) => description === values.description)
  if (!same) return
  const text = 'a profile with the exact same description already exists.'
  throw invalid([{ path: 'description', text, status: 409 }])
}

/** In order of their names, as everywhere. */
const parametersOf = (id: number, { data, user, version }: Presenting) =>
  sortAndPage(data.by('parameters', 'profiles', id), {}, 'name').map((row) => asGroupParameter(row, { version, user }))

/** One that is asked for by its id has its parameters along: under 1.3 always, under older versions if asked for. */
function withParams(route: Bound<ReadEndpoint>): Bound<ReadEndpoint> {
  return (resource) => {
    const plain = route(resource)
    const includeParams = Type.Boolean({
      description: 'Under 1.1 and 1.2: with its parameters, if it is asked for by id.',
    })
    return {
      ...plain,
      query: { ...plain.query, includeParams },
      read: (input, data) => {
        const { response } = plain.read(input, data)
        const {
          version,
          user,
          query,
          params: { id = query.id },
        } = input
        const isAsked = version === '1.3' || /^(true|1)$/i.test(query.includeParams ?? '')
        if (!isAsked || id === undefined || id === '') return { response }
        const rows = [...(response as Iterable<object>)]
        // Under 1.3 one that is read by its id has them.
        const own = (row: object) =>
          'params' in row ? row : { ...row, params: parametersOf(Number((row as Row).id), { data, version, user }) }
        return { response: rows.map(own) }
      },
    }
  }
}
