import { invalid } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { RequestInput } from '../../operations/endpoint.js'
import { numberQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { RowOf, ValuesOf } from '../crud/accepting.js'
import { list, read, trimmed } from '../crud/readRoutes.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'
import { copied, exported, imported } from './profileCopies.js'

export default defineResource('profiles', {
  legacy: { numbers: ['cdn'] },
  routes: [
    list('/profiles', {
      role: 'any',
      filters: {
        param: { is: numberQuery('Only those with this parameter.', { min: 1 }), rows: withParameter },
        cdn: 'cdn',
        type: 'type',
      },
    }),
    trimmed('/profiles/trimmed', { role: 'any' }),
    read('/profiles/:id', { role: 'any' }),
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
