import type { Version } from '../../api/config/apiVersions.js'

/**
 * How an answer must look. Words stand for values; `?` after a word allows null.
 * - `text` `bool` `int` `number`: what they say, in every version
 * - `id`: digits in a string under 1.1 and 1.2, a whole number under 1.3; `num` likewise with any number
 * - `time`: `YYYY-MM-DD HH:MM:SS` under 1.1 and 1.2, with `+00` under 1.3; `zoned`: with `+00` everywhere
 * - `absent`: the key must not be there; `any`: it must, with whatever value
 * An object must have the keys named and may have more; `*` stands for all keys of a map. `[shape]` is a list that has
 * elements; `maybe(shape)` may be empty.
 */
export type Shape = string | readonly [Shape] | Maybe | ShapeOfObject
interface ShapeOfObject {
  readonly [key: string]: Shape
}
interface Maybe {
  readonly maybeEmpty: readonly [Shape]
}

export const maybe = (shape: Shape): Maybe => ({ maybeEmpty: [shape] })

/** What is wrong with a value, each with its path. */
export function misshapen(value: unknown, shape: Shape, version: Version, path = 'response'): string[] {
  if (typeof shape === 'string') {
    return fits(value, shape, version) ? [] : [`${path} is not ${shape}: ${JSON.stringify(value)?.slice(0, 80)}`]
  }
  if (isList(shape) || isMaybe(shape)) {
    if (!Array.isArray(value)) return [`${path} is not a list: ${JSON.stringify(value)?.slice(0, 80)}`]
    if (value.length === 0 && isList(shape)) return [`${path} is empty and proves nothing`]
    const [element] = isList(shape) ? shape : shape.maybeEmpty
    return value.flatMap((one, index) => misshapen(one, element, version, `${path}[${index}]`)).slice(0, 5)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${path} is not an object: ${JSON.stringify(value)?.slice(0, 80)}`]
  }
  const every = shape['*']
  if (every) return Object.entries(value).flatMap(([key, one]) => misshapen(one, every, version, `${path}.${key}`))
  return Object.entries(shape).flatMap(([key, one]) => {
    if (Object.hasOwn(value, key)) return misshapen(value[key as never], one, version, `${path}.${key}`)
    return one === 'absent' ? [] : [`${path}.${key} is missing`]
  })
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)
const isMaybe = (shape: Shape): shape is Maybe => typeof shape === 'object' && 'maybeEmpty' in shape

function fits(value: unknown, word: string, version: Version): boolean {
  if (word.endsWith('?') && value === null) return true
  const native = version === '1.3'
  const matches = (pattern: RegExp) => typeof value === 'string' && pattern.test(value)
  switch (word.replace('?', '')) {
    case 'text':
      return typeof value === 'string'
    case 'bool':
      return typeof value === 'boolean'
    case 'int':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'id':
      return native ? Number.isInteger(value) : matches(/^\d+$/)
    case 'num':
      return native ? typeof value === 'number' : matches(/^-?\d+(\.\d+)?$/)
    case 'time':
      return matches(native ? /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/ : /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    case 'zoned':
      return matches(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/)
    case 'any':
      return value !== undefined
    default:
      return false
  }
}
