import type { Behaviour } from '../journal/recordKind.js'
import type { Kind } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Records } from '../schema/records.js'

/** The behaviour of one kind, with its type parameter forgotten. */
export interface KindBehaviour extends Behaviour<Row> {
  readonly kind: Kind
}

/** What holds for the records of a kind when they are written; kinds without rules of their own need none. */
export const defineBehaviour = <K extends Kind>(kind: K, behaviour: Behaviour<Records[K]>): KindBehaviour =>
  // Whoever asks a behaviour hands it records of its own kind: the catalogue finds it by that.
  Object.freeze({ kind, ...behaviour }) as unknown as KindBehaviour
