import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../api/config/packageRoot.js'
import { routes } from './routes.js'

/**
 * The surface of the API as text, one line per route: method, path (`1.x`: under every version; one version: from then on), least role, whose records. The file
 * is the contract: `npm run surface -- --update` writes it, its diff is read.
 */
export const surfaceFile = join(packageRoot, 'test/surface.txt')

export function surface(): string {
  const lines = routes.map(({ method, path, unversioned, since, role, reach }) => {
    const place = unversioned ? path : `/api/${since ?? '1.x'}${path}`
    return { place, line: `${method.padEnd(6)} ${place} ${role} ${reach}` }
  })
  lines.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : a.line < b.line ? -1 : 1))
  return `${lines.map(({ line }) => line).join('\n')}\n`
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--update')) writeFileSync(surfaceFile, surface())
  else process.exitCode = surface() === readFileSync(surfaceFile, 'utf8') ? 0 : 1
}
