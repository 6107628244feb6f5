import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../api/config/packageRoot.js'
import type { Endpoint } from '../api/operations/endpoint.js'
import { resources } from '../api/routes/resources.js'
import type { KeySets } from './interface/keySets.js'
import { keySets, versionsOf } from './interface/keySets.js'
import { routes } from './routes.js'
import { sampleServer } from './sampleServer.js'

/**
 * The surface of the API as text, a file for the routes of each first segment. A line for each route: method, path
 * (`1.x`: under every version; one version: from then on), least role, whose records. Below it, where it answers
 * records, every key with the versions that show it. The files are the contract: `npm run surface -- --update` writes
 * them, their diff is read.
 */
export const surfaceFolder = join(packageRoot, 'test/surface')

/** The files' texts by name. Without key sets, the lines of the routes alone. */
export function surface(sets?: KeySets): Record<string, string> {
  const files = new Map<string, string[]>()
  const shown = new Map<string, string>()
  for (const route of routes.toSorted(byPlace)) {
    const name = fileOf(route)
    const keys = sets ? keyLines(route, sets, shown) : []
    files.set(name, [...(files.get(name) ?? []), lineOf(route), ...keys])
  }
  return Object.fromEntries([...files].map(([name, lines]) => [name, `${lines.join('\n')}\n`]))
}

export function agreed(): Record<string, string> {
  const names = readdirSync(surfaceFolder)
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(surfaceFolder, name), 'utf8')]))
}

/** Paths that no kind of record is at are together. */
function fileOf({ path }: Endpoint): string {
  const segment = path.split('/')[1]!
  return `${segments.has(segment) ? segment : 'others'}.txt`
}

const segments = new Set(
  resources.flatMap((resource) => resource.routes.map((route) => route(resource).path.split('/')[1]!)),
)

const placeOf = ({ path, unversioned, since }: Endpoint): string =>
  unversioned ? path : `/api/${since ?? '1.x'}${path}`

const lineOf = (route: Endpoint): string => `${route.method.padEnd(6)} ${placeOf(route)} ${route.role} ${route.reach}`

function byPlace(a: Endpoint, b: Endpoint): number {
  const [one, other] = [a, b].map((route) => `${route.path} ${route.method === 'GET' ? '' : route.method}`)
  return one! < other! ? -1 : 1
}

/** A shape of some length that another route has, too, is told by naming that one. */
const long = 8

function keyLines(route: Endpoint, sets: KeySets, shown: Map<string, string>): string[] {
  const set = sets.get(route)
  if (!set) return []
  const keys = [...new Set([...set.values()].flat())].sort()
  const column = versionsOf(route)
  const lines = keys.map((key) => {
    const has = column.map((version) => (set.get(version)?.includes(key) ? version : '   ')).join(' ')
    return `       ${has}  ${key}`
  })
  if (lines.length < long) return lines
  const text = lines.join('\n')
  const same = shown.get(text)
  if (same) return [`       as ${same}`]
  shown.set(text, `${route.method} ${placeOf(route)}`)
  return lines
}

if (process.argv[1] === import.meta.filename) {
  const server = await sampleServer()
  const files = surface(await keySets(server))
  await server.close()
  if (process.argv.includes('--update')) {
    rmSync(surfaceFolder, { recursive: true, force: true })
    mkdirSync(surfaceFolder)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(surfaceFolder, name), text)
  } else process.exitCode = JSON.stringify(files) === JSON.stringify(agreed()) ? 0 : 1
}
