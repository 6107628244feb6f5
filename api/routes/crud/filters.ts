import { type TSchema, Type } from '@sinclair/typebox'
import type { QueryParameters } from '../../operations/queryParameters.js'
import { numberQuery, textQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Caller } from '../../schema/privileges.js'
import type { Resource } from './resource.js'

/** Query filters: the field compared, or a function that narrows the rows; what it takes is text, or `is`. */
export type Filters = Readonly<Record<string, Filter>>

type Filter = string | Narrow | { readonly is: TSchema; readonly rows: Narrow }
type Narrow = (rows: readonly Row[], value: string, data: Data, user: Caller) => readonly Row[]

/** The rows that a filter leaves. */
export function narrowed(filter: Filter, ...[rows, value, data, user]: Parameters<Narrow>): readonly Row[] {
  if (typeof filter === 'string') return rows.filter((row) => String(row[filter]) === value)
  return (typeof filter === 'function' ? filter : filter.rows)(rows, value, data, user)
}

/** What OpenAPI says of the filters of a list: of the type of the field that is compared. */
export const filterQuery = ({ fields }: Pick<Resource, 'fields'>, filters: Filters): QueryParameters =>
  Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => {
      if (typeof filter === 'function') return [name, textQuery(`Only those of this ${name}.`)]
      return [name, typeof filter === 'object' ? filter.is : compared(filter, fields[filter])]
    }),
  )

/** The type alone: a value of another form than the field's matches nothing. */
function compared(name: string, field: TSchema | undefined): TSchema {
  if (!field || field.notes.ref) return numberQuery(`Only those whose ${name} is this id.`, { min: 1 })
  const description = `Only those whose ${name} is this.`
  const type = [field.type].flat().filter((one) => one !== 'null')[0]
  const values = (field.enum as unknown[] | undefined)?.filter((value) => value !== null)
  return Type.Unsafe({ type, description, ...(values ? { enum: values } : {}) })
}
