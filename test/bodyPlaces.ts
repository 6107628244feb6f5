import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../api/operations/endpoint.js'
import { bodySchema } from '../api/operations/endpoint.js'
import type { Field } from '../api/schema/fields.js'
import type { Write } from './everyWrite.js'

type Values = Record<string, unknown>

/** A field of a body under one of its names. */
export interface Place {
  readonly name: string
  readonly field: TSchema
  readonly isOptional: boolean
  /** Its other names. */
  readonly others: readonly string[]
  /** The object of a body that has the field. */
  readonly within: (body: unknown) => Values
}

/** Every field of a body that can be tried, those of objects within it, too. */
export function placesIn(route: Endpoint, write: Write): Place[] {
  if (!('write' in route) && !('dryRun' in (route.query ?? {}))) return []
  const schema = bodySchema(route)
  return schema ? placesOf(schema, (body) => body as Values, write.body) : []
}

/** The name that the document says this one stands for. */
export const insteadOf = (field: TSchema): string | undefined =>
  /Instead of (\w+)/.exec((field as Field).notes?.description ?? (field.description as string | undefined) ?? '')?.[1]

function placesOf(schema: TSchema, within: (body: unknown) => Values, body: unknown): Place[] {
  const options: readonly TSchema[] = schema.anyOf ?? [schema]
  if (Array.isArray(body)) {
    const items = options.find(({ type }) => type === 'array')?.items as TSchema | undefined
    return items ? placesOf(items, (whole) => (within(whole) as unknown as Values[])[0]!, body[0]) : []
  }
  const { properties = {}, required = [] } = options.find(({ type }) => type !== 'array') ?? ({} as TSchema)
  const fields = Object.entries(properties as Record<string, TSchema>)
  const own = (name: string) => insteadOf((properties as Record<string, TSchema>)[name]!) ?? name
  return fields.flatMap(([name, field]) => {
    const inner = (body as Values | undefined)?.[name]
    const isObject = typeof inner === 'object' && inner !== null
    const deeper = isObject ? placesOf(field, (whole) => within(whole)[name] as Values, inner) : []
    const others = fields.flatMap(([other]) => (other !== name && own(other) === own(name) ? [other] : []))
    return [{ name, field, within, others, isOptional: !(required as string[]).includes(name) }, ...deeper]
  })
}
