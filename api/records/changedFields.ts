import { same } from '../../compiler/data/kindTable.js'
import type { KindShape, Row } from '../schema/defineKind.js'
import { isSecret } from '../schema/secrecy.js'

/**
 * What a line of the change log says of the fields that a write changed: `: rack, status`, or nothing where none did. A
 * secret that was given is named whether it is another or not: a line must not tell who guessed it.
 */
export function changedFields(
  { fields }: Pick<KindShape, 'fields'>,
  { before, after }: { before: Row; after: Row },
  given: Readonly<Record<string, unknown>>,
): string {
  const names = Object.entries(fields).flatMap(([name, { notes }]) => {
    const isOther = isSecret(notes, after) || isSecret(notes, before) ? name in given : !same(before[name], after[name])
    if (!isOther) return []
    if (name === 'passwordHash') return ['password']
    return notes.hidden ? [] : [shownName(name, notes.ref ? notes.nameAliases?.[0] : undefined)]
  })
  return names.length === 0 ? '' : `: ${names.join(', ')}`
}

/** `status` rather than `statusId`. */
const shownName = (name: string, byName: string | undefined): string =>
  byName !== undefined && name === `${byName}Id` ? byName : name
