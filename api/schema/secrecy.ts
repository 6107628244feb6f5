import type { FieldNotes, Fields } from './fields.js'

/** What a secret looks like to those who may not see it. */
export const mask = '********'

/** What of a record is secret, by the declaration of its fields: one answer for the store, the journal, lists and faults. */

type Values = Readonly<Record<string, unknown>>

/** Whether the value of a field is secret in this record. */
export function isSecret({ secret, hidden, secretWhen }: FieldNotes, record: Values): boolean {
  return secret === true || hidden === true || (secretWhen !== undefined && record[secretWhen] === true)
}

/** A field that clients may read back in clear, when they may read it at all: the store has to hold it sealed. */
export interface SealedField {
  readonly name: string
  /** The flag of the record that makes the value secret; `null`: it always is. */
  readonly when: string | null
  /** Whether the field may be `null`. */
  readonly mayBeAbsent: boolean
}

export const sealedFields = (fields: Fields): readonly SealedField[] =>
  Object.entries(fields).flatMap(([name, { notes }]) =>
    notes.secret || notes.secretWhen !== undefined
      ? [{ name, when: notes.secretWhen ?? null, mayBeAbsent: 'default' in notes }]
      : [],
  )
