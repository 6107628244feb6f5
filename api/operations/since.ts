/** Since when something that is told apart by a tag has been as it is, as far as this process has seen. */
export type LastModified = (name: string, tag: string) => Date

/**
 * For `Last-Modified` of what records do not date by themselves: a deletion leaves nothing behind that could. What
 * is seen for the first time counts as changed now, and two states never have the same second. `name` must come
 * from a bounded set.
 */
export function createLastModified(now: () => Date): LastModified {
  const seen = new Map<string, { tag: string; seconds: number }>()
  return (name, tag) => {
    const last = seen.get(name)
    if (last?.tag === tag) return new Date(last.seconds * 1000)
    const seconds = Math.max(Math.floor(now().getTime() / 1000), (last?.seconds ?? 0) + 1)
    seen.set(name, { tag, seconds })
    return new Date(seconds * 1000)
  }
}
