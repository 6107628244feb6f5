import type { TSchema } from '@sinclair/typebox'

/**
 * What the records of a kind are called in the OpenAPI document, and so in clients that are generated from it:
 * `deliveryServices` are each a `DeliveryService`.
 */
export function schemaName(kind: string): string {
  const one = kind
    .replace(/ies$/, 'y')
    .replace(/(ss|us|x)es$/, '$1')
    .replace(/([^su])s$/, '$1')
  return one.charAt(0).toUpperCase() + one.slice(1)
}

/** A schema that the OpenAPI document lists under a name; two of one name must be the same. */
export const named = <T extends TSchema>(title: string, schema: T): T => ({ ...schema, title })
