import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { plainSchema } from './plainSchema.js'

type Json = Record<string, unknown>

/** The schemas that have a name: each is written once, and referred to wherever it is part of another. */
export class Components {
  readonly #schemas = new Map<string, Json>()

  /** A schema as the document shows it in a place: itself, or a reference when it has a name. */
  shown(schema: TSchema, name?: string): Json {
    return this.#hoisted({ ...plainSchema(schema), ...(name && !schema.title ? { title: name } : {}) }) as Json
  }

  /** By name. */
  get schemas(): Json {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #hoisted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#hoisted(one))
    if (typeof value !== 'object' || value === null) return value
    const parts = Object.entries(value).map(([key, inner]) => [key, this.#hoisted(inner)])
    const { title, ...schema } = Object.fromEntries(parts) as Json
    if (typeof title !== 'string') return title === undefined ? schema : { ...schema, title }
    const known = this.#schemas.get(title)
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas are called ${title}`)
    this.#schemas.set(title, schema)
    return { $ref: `#/components/schemas/${title}` }
  }
}
