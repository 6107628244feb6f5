import { Type } from '@sinclair/typebox'
import { checker } from '../../records/check.js'
import type { Part } from '../../store/store.js'

/** A blob comes in pieces, the bytes in base64; `left` says how many follow. */
export interface BlobPiece {
  readonly blob: string
  readonly left: number
  readonly bytes: string
}

export type Line = Exclude<Part, { blob: string }> | BlobPiece

/** Kinds are names of collections in MongoDB: none of these is to be written by a record. */
const kind = Type.String({ pattern: '^(?!(?:journal|blob|mark|system)[A-Za-z]*$)[a-z][A-Za-z]{0,63}$' })
/** Others are to come after it. */
const maximum = 2 ** 52
const id = Type.Integer({ minimum: 1, maximum })
const revision = Type.Integer({ minimum: 0, maximum })
const stored = Type.Object({ id })
const change = Type.Object({
  kind,
  id,
  before: Type.Union([stored, Type.Null()]),
  after: Type.Union([stored, Type.Null()]),
})
const entry = Type.Object({
  revision: id,
  time: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT' }),
  user: Type.String(),
  id: Type.String(),
  requestId: Type.String(),
  changes: Type.Array(change),
  log: Type.Array(
    Type.Object({
      level: Type.String(),
      message: Type.String(),
      ticketNum: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      tenants: Type.Optional(Type.Array(Type.Integer())),
    }),
  ),
})

/** What a line behind the first is, by the key it begins with. */
const shapes = {
  blob: Type.Object({
    blob: Type.String({ minLength: 1, maxLength: 500 }),
    left: Type.Integer({ minimum: 0 }),
    bytes: Type.String(),
  }),
  state: Type.Object({
    state: Type.Object({ revision, lastIds: Type.Record(kind, revision, { additionalProperties: false }) }),
  }),
  record: Type.Object({ record: Type.Object({ kind, revision, record: stored }) }),
  journal: Type.Object({ journal: Type.Object({ base: revision }) }),
  entry: Type.Object({ entry }),
}
const checks = new Map(Object.entries(shapes).map(([name, shape]) => [name, checker(shape)]))

/** No record comes near it. */
const deepest = 50

/** A line of a backup; `null` for what a backup never has, whatever its checksum says. */
export function lineOf(text: string): Line | null {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof line !== 'object' || line === null) return null
  const [name = '', ...more] = Object.keys(line).filter((key) => checks.has(key))
  const faults = more.length > 0 ? null : checks.get(name)?.(line)
  // Looked at last: what has a shape is a line, and not merely deep.
  return faults?.length === 0 && !isDeeper(line, deepest) ? (line as Line) : null
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return than === 0 || Object.values(value).some((one) => isDeeper(one, than - 1))
}
