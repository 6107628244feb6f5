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

/** The first segment of a path, with the version before it if there is one, and without `.json` after it. */
export function segmentOf(path: string): string {
  const afterVersion = path.startsWith('/api/') ? path.indexOf('/', '/api/'.length) : 0
  const end = afterVersion < 0 ? -1 : path.indexOf('/', afterVersion + 1)
  const name = end < 0 ? path : path.slice(0, end)
  return name.endsWith('.json') ? name.slice(0, -'.json'.length) : name
}
