import { type TSchema, Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import type { RecordKind } from '../../journal/recordKind.js'
import { checker } from '../../records/check.js'
import type { Field } from '../../schema/fields.js'
import { printable } from '../../schema/fields.js'
import { sealedFields } from '../../schema/secrecy.js'

type Check = (value: unknown) => Fault[]

/** Times in a store have one form. */
const moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$', format: 'moment' })
export const momentFaults = checker(moment)

const records = new WeakMap<RecordKind, Check>()
const journaled = new WeakMap<RecordKind, Check>()

/**
 * What is wrong with a record as it lies in a store: a field that is missing, of another type, not one of its values,
 * or with control characters that it has not. The form of texts (length, pattern, halves of characters) is not looked
 * at: earlier releases and the service itself wrote some that a client of today may not send.
 */
export const storedFaults = (kind: RecordKind, record: object): Fault[] => checkOf(records, kind, recordShape)(record)

/** The same of a record in the journal, which may have been written when the kind had other fields. */
export const journaledFaults = (kind: RecordKind, record: object): Fault[] =>
  checkOf(journaled, kind, journaledShape)(record)

function checkOf(known: WeakMap<RecordKind, Check>, kind: RecordKind, shape: (kind: RecordKind) => TSchema): Check {
  let check = known.get(kind)
  if (!check) {
    check = checker(shape(kind))
    known.set(kind, check)
  }
  return check
}

function recordShape(kind: RecordKind): TSchema {
  const required = Object.entries(kind.fields).flatMap(([name, { notes }]) => ('default' in notes ? [] : [name]))
  const properties = propertiesOf(kind, ({ notes }) => notes.default === null)
  return Type.Unsafe({ type: 'object', properties, required: [...required, 'lastUpdated'] })
}

const journaledShape = (kind: RecordKind): TSchema =>
  Type.Unsafe({ type: 'object', properties: propertiesOf(kind, () => true) })

function propertiesOf({ fields }: RecordKind, mayBeNull: (field: Field) => boolean): Record<string, TSchema> {
  const sealed = new Set(sealedFields(fields).map(({ name }) => name))
  const own = Object.entries(fields).map(([name, field]) => {
    const inClear = storedField(field, mayBeNull(field))
    // What is said of a value that is neither is said of the last.
    return [name, sealed.has(name) ? Type.Unsafe({ anyOf: [sealedValue, inClear] }) : inClear] as const
  })
  return { ...Object.fromEntries(own), lastUpdated: moment }
}

const sealedValue = Type.Object({ sealed: Type.String() })

function storedField(field: Field, orNull: boolean): TSchema {
  const { type, enum: values, minimum, maximum, items, printable: characters, format } = field as TSchema
  const types = [...new Set([type, orNull ? 'null' : type].flat())]
  return Type.Unsafe({
    type: types,
    ...(values ? { enum: [...new Set([...values, ...(orNull ? [null] : [])])] } : {}),
    ...(minimum === undefined ? {} : { minimum, maximum }),
    ...(items ? { items: storedField(items, false) } : {}),
    ...(characters ? { pattern: printable[characters as keyof typeof printable] } : {}),
    ...(format === 'moment' ? { pattern: moment.pattern, format } : {}),
  })
}
