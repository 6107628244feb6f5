import { profileParameters } from '../cdn/parameters.js'
import type { Reader } from '../core/reader.js'
import type { Parameter } from '../data/model.js'
import { digitsAsNumber } from './values.js'

export interface HealthSettings {
  /** What the monitor gets: numbers for digits, text for the rest. */
  readonly values: Readonly<Record<string, string | number>>
  /** Parameters the monitor cannot parse; one of them would make it refuse the whole document. */
  readonly refused: readonly Parameter[]
}

/** The `rascal.properties` of a cache profile; where a name repeats the lowest id counts. */
export function healthSettings(data: Reader, profileId: number): HealthSettings {
  const values = new Map<string, string | number>()
  const refused: Parameter[] = []
  for (const parameter of profileParameters(data, profileId, 'rascal.properties')) {
    if (!isParsable(parameter)) refused.push(parameter)
    else if (!values.has(parameter.name)) values.set(parameter.name, digitsAsNumber(parameter.value))
  }
  return { values: Object.fromEntries(values), refused }
}

/** A comparator of one character at most (`>=` is refused by the monitors of 3.0), then a number. */
const threshold = /^[=<>]?[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

function isParsable({ name, value }: Parameter): boolean {
  if (name.startsWith('health.threshold.')) return threshold.test(value)
  if (name === 'health.connection.timeout' || name === 'history.count') return typeof digitsAsNumber(value) === 'number'
  return true
}
