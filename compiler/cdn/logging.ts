import type { CompileContext } from '../core/defineFile.js'
import type { Parameter } from '../data/model.js'
import { parameterRef, profileParameters } from './parameters.js'
import { cleaned } from './text.js'

/** The custom logs of a profile, from the parameters `LogFormat[i].Name` and so on (config-files.md §6.18). */
export interface Logging {
  readonly formats: readonly { readonly name: string; readonly format: string }[]
  readonly filters: readonly { readonly name: string; readonly action: string; readonly condition: string }[]
  readonly logs: readonly Log[]
}

export interface Log {
  readonly filename: string
  /** `ascii`, `binary` or `pipe` */
  readonly mode: string
  /** The name of one of the formats. */
  readonly format: string
  /** Numbers as text, null when not set; a pipe is never rolled. */
  readonly rolling: Readonly<Record<RollingField, string | null>>
  readonly header: string | null
  /** Names of filters. */
  readonly filters: readonly string[]
}

export type RollingField = (typeof rollingFields)[number]

/**
 * Reads them for any of the three forms. Names become keys, identifiers and file names there, so they must be
 * words; a log whose format is not defined is left out, since the cache server refuses it.
 */
export function logging(context: CompileContext<'profiles'>): Logging {
  const read = fieldReader(context)
  const formats = numbered('LogFormat').flatMap((item) => {
    const name = read.word(`${item}.Name`)
    return name === null ? [] : [{ name, format: read.text(`${item}.Format`) ?? '' }]
  })
  const filters = numbered('LogFilter').flatMap((item) => {
    const name = read.word(`${item}.Name`)
    const condition = read.text(`${item}.Filter`)
    if (name === null || condition === null) return []
    return [{ name, action: read.oneOf(`${item}.Type`, actions), condition }]
  })
  const logs = numbered('LogObject').flatMap((item) => {
    const filename = read.path(`${item}.Filename`)
    const format = read.reference(`${item}.Format`, formats)
    if (filename === null || format === null) return []
    const mode = read.oneOf(`${item}.Type`, modes)
    const rolling = rollingFields.map((field) => [field, mode === 'pipe' ? null : read.digits(`${item}.${field}`)])
    const header = read.text(`${item}.Header`)
    const kept = read.references(`${item}.Filters`, filters)
    return [{ filename, mode, format, rolling: Object.fromEntries(rolling), header, filters: kept }]
  })
  return { formats, filters, logs }
}

export const rollingFields = ['RollingEnabled', 'RollingIntervalSec', 'RollingOffsetHr', 'RollingSizeMb'] as const

const modes = ['ascii', 'binary', 'pipe'] as const
const actions = ['accept', 'reject', 'wipe_field_value'] as const

/** The first of ten carries no number. */
const numbered = (item: string) => Array.from({ length: 10 }, (_, i) => (i === 0 ? item : `${item}${i}`))

/** Reads one parameter each, null when it is not set; what the files cannot carry is ignored with a warning. */
function fieldReader(context: CompileContext<'profiles'>) {
  const byName = new Map<string, Parameter>()
  for (const parameter of profileParameters(context.data, context.subject.id, context.file)) {
    if (!byName.has(parameter.name)) byName.set(parameter.name, parameter)
  }
  const ignore = (parameter: Parameter, why: string) => {
    context.warn('value-ignored', parameterRef(parameter), `${parameter.name} ${why}`)
    return null
  }
  const text = (name: string) => {
    const parameter = byName.get(name)
    return parameter && parameter.value !== ''
      ? cleaned(context, parameterRef(parameter), 'the value', parameter.value)
      : null
  }
  const matching = (name: string, pattern: RegExp, why: string) => {
    const value = text(name)?.trim() ?? null
    return value === null || pattern.test(value) ? value : ignore(byName.get(name)!, why)
  }
  const known = (name: string, wanted: string, items: readonly { name: string }[]) =>
    items.some((item) => item.name === wanted)
      ? wanted
      : ignore(byName.get(name)!, `names '${wanted}', which is not defined`)
  return {
    text,
    word: (name: string) => matching(name, /^[A-Za-z_]\w*$/, 'is not a name'),
    path: (name: string) => matching(name, /^[\w./:@+-]+$/, 'is not a file name'),
    digits: (name: string) => matching(name, /^\d+$/, 'is not a number'),
    oneOf: (name: string, allowed: readonly [string, ...string[]]) =>
      matching(name, new RegExp(`^(${allowed.join('|')})$`), `is not one of ${allowed.join(', ')}`) ?? allowed[0],
    reference: (name: string, items: readonly { name: string }[]) => {
      const value = text(name)?.trim() ?? null
      return value === null ? null : known(name, value, items)
    },
    references: (name: string, items: readonly { name: string }[]) =>
      (text(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .filter((part) => known(name, part, items) !== null),
  }
}
