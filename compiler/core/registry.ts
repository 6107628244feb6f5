import type { ConfigFile, Scope } from './defineFile.js'
import type { HeaderOf } from './header.js'
import type { Reader } from './reader.js'

export interface Resolved {
  readonly definition: ConfigFile
  readonly parts: Readonly<Record<string, string>>
  /** Whether a definition claims the name; otherwise the fallback answers. */
  readonly listed: boolean
}

export interface Registry {
  readonly definitions: readonly ConfigFile[]
  /** What files begin with. */
  readonly headerOf: HeaderOf
  /** The definition of a file name, or null when none claims it and there is no fallback. */
  resolve(file: string): Resolved | null
}

/**
 * Finds the definition of a file by its name: exact names first, then patterns. Two definitions that claim one
 * name are a mistake, reported here where probing finds it, else when such a name is met. No ranking of patterns:
 * whoever reads a definition may rely on it.
 */
export function createRegistry(
  definitions: readonly ConfigFile[],
  fallback: ConfigFile | null = null,
  headerOf: HeaderOf = noHeader,
): Registry {
  const exact = new Map<string, ConfigFile>()
  const patterns: { definition: ConfigFile; pattern: RegExp }[] = []
  for (const definition of definitions) {
    const { name } = definition
    if (typeof name === 'string') {
      if (exact.has(name)) throw new Error(`two definitions claim the file name ${name}`)
      exact.set(name, definition)
    } else {
      if (!isAnchored(name)) throw new Error(`the pattern ${name} must be anchored at both ends and have no flags`)
      patterns.push({ definition, pattern: name })
    }
  }
  const resolve = (file: string): Resolved | null => {
    const named = exact.get(file)
    if (named) return { definition: named, parts: {}, listed: true }
    const matching = patterns.filter(({ pattern }) => pattern.test(file))
    if (matching.length > 1) {
      throw new Error(`the patterns ${matching.map(({ pattern }) => pattern).join(' and ')} both claim ${file}`)
    }
    const match = matching[0]
    if (match) return { definition: match.definition, parts: partsOf(match.pattern, file), listed: true }
    return fallback && { definition: fallback, parts: {}, listed: false }
  }
  for (const name of probes(patterns.map(({ pattern }) => pattern))) resolve(name)
  return { definitions, headerOf, resolve }
}

const noHeader: HeaderOf = () => ({ name: '', tool: '', url: '' })

/**
 * The scope a file has to be asked in (config-files.md §2). Files that no definition claims say so themselves, by
 * the parameter `scope` of that config file of any profile; the default is `servers`.
 */
export function scopeOf({ definition, listed }: Resolved, file: string, serverType: string, data: Reader): Scope {
  if (listed) return definition.listedScope(serverType)
  const named = data.by('parameters', 'nameFile', `scope/${file}`)[0]?.value
  return named === 'profiles' || named === 'cdns' ? named : 'servers'
}

function isAnchored({ source, flags }: RegExp): boolean {
  return source.startsWith('^') && source.endsWith('$') && flags === ''
}

function partsOf(pattern: RegExp, file: string): Record<string, string> {
  return Object.fromEntries(Object.entries(pattern.exec(file)?.groups ?? {}).map(([name, part]) => [name, part ?? '']))
}

/** Names that show an overlap of two patterns: each head with each tail, and heads that continue other heads. */
function probes(patterns: readonly RegExp[]): string[] {
  const shapes = patterns.map(({ source }) => {
    const plain = source.slice(1, -1).replaceAll('\\.', '.')
    return { head: /^[\w.-]*/.exec(plain)![0], tail: /[\w.-]*$/.exec(plain)![0] }
  })
  return shapes.flatMap(({ head }) => shapes.flatMap(({ tail }) => [`${head}x${tail}`, `${head}1${tail}`]))
}
