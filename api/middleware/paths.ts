interface Route {
  readonly path: string
}

/** Orders routes so that of two that a path could mean the one with the earlier literal segment comes first. */
export function literalsFirst({ path: a }: Route, { path: b }: Route): number {
  const [left, right] = [a.split('/'), b.split('/')]
  for (const [at, segment] of left.entries()) {
    const other = right[at]
    if (other === undefined || segment === other) continue
    if (segment.startsWith(':') !== other.startsWith(':')) return segment.startsWith(':') ? 1 : -1
  }
  return 0
}

/**
 * What tells the small routers apart: the first segment of a path, with the version before it if there is one and
 * without `.json` after it, and how many segments there are.
 */
export function placeOf(path: string): string {
  const afterVersion = path.startsWith('/api/') ? path.indexOf('/', '/api/'.length) : 0
  const end = afterVersion < 0 ? -1 : path.indexOf('/', afterVersion + 1)
  if (end < 0 || end === path.length - 1) return withoutJson(end < 0 ? path : path.slice(0, end))
  let segments = 0
  for (let at = end; at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) segments += 1
  return `${path.slice(0, end)} ${segments}`
}

const withoutJson = (path: string): string => (path.endsWith('.json') ? path.slice(0, -'.json'.length) : path)
