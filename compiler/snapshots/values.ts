/** How parameter and record values become the JSON types that monitors and routers decode. */

/** A number when the text is nothing but digits, as the programs expect of intervals and limits. */
export function digitsAsNumber(value: string): number | string {
  return /^\d+$/.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** Routers read their booleans from strings. */
export const quoted = (flag: boolean): 'true' | 'false' => (flag ? 'true' : 'false')

/** Only the fields that are set. */
export function setFields<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== '')) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
