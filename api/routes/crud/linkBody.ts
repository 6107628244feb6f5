import { type TSchema, Type } from '@sinclair/typebox'
import { objectOf, oneOrManyOf } from '../../operations/bodies.js'
import type { Body } from '../../operations/endpoint.js'
import { oneOrMany, together } from '../../records/each.js'
import { flagIn, idList, idsIn } from './ids.js'

/** One value of a body that links records: what the document says of it, and how it is read by its name. */
interface Part<T> {
  readonly schema: TSchema
  readonly read: (body: unknown, name: string) => T
}

type Parts = Readonly<Record<string, Part<unknown>>>

/** An id, that may be written as text. */
export const id: Part<number> = {
  schema: Type.Integer({ minimum: 1 }),
  read: (body, name) => idsIn(body, name)[name]!,
}

/** Ids, each once, in the order given. */
export const ids: Part<number[]> = { schema: Type.Array(Type.Integer({ minimum: 1 })), read: idList }

/** A boolean, that may be written as text or number; absent it is false. */
export const flag: Part<boolean> = { schema: Type.Optional(Type.Boolean()), read: flagIn }

export interface LinkBody<T> extends Body<T> {
  /** The same with all that was left out, as most of these are answered. */
  readonly reply: TSchema
}

/** A body of ids and flags, declared once: so it is documented, checked, all faults at once, and typed. */
export function linkBody<const P extends Parts>(
  parts: P,
): LinkBody<{ readonly [N in keyof P]: P[N] extends Part<infer T> ? T : never }> {
  const schema = Type.Object(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.schema])))
  return {
    schema,
    reply: Type.Required(schema),
    read: (given) => {
      const body = objectOf(given)
      const found: Record<string, unknown> = {}
      const checks = Object.entries(parts).map(([name, { read }]) => () => {
        found[name] = read(body, name)
      })
      together(...checks)
      return found as { readonly [N in keyof P]: P[N] extends Part<infer T> ? T : never }
    },
  }
}

/** One of these, or several; who sent one is answered with one. */
export const oneOrManyLinks = (
  link: Body,
): Body<{ readonly links: readonly unknown[]; readonly areMany: boolean }> => ({
  schema: oneOrManyOf(link.schema),
  read: (given) => ({ links: oneOrMany(given), areMany: Array.isArray(given) }),
})
