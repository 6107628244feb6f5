/** Orders text by code point, which is also the order of its UTF-8 bytes. `<` would order by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** Distinct values, in order. */
export function distinctSorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort(byCodePoint)
}
