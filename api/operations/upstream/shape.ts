import { UpstreamFault } from './fetchJson.js'

/** The members of an object an upstream sent, its own only: a key like `__proto__` is just a key. */
export function entries(value: unknown, what: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UpstreamFault(`sent ${what} that is not an object`)
  return Object.entries(value)
}

/** One member of an object an upstream sent; `undefined` when it has none of its own or is no object. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** A number that can be counted with, sent as a number or as text: finite, not negative, not beyond 10^15. */
export function amount(value: unknown): number | null {
  if (typeof value === 'string' && !/^\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i.test(value)) return null
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return number >= 0 && number <= 1e15 ? number : null
}

/** The newest value of a monitor's series `[{ "value": "12", "time": … }, …]`. */
export const newest = (series: unknown): number | null =>
  Array.isArray(series) ? amount(member(series[0], 'value')) : null
