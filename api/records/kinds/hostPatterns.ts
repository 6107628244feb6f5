import { RE2JS } from 're2js'

/** A host pattern as routers read it: the whole name has to fit, in whatever case. */
export interface HostPattern {
  /** @param host in lower case */
  readonly matches: (host: string) => boolean
  /** What one such question costs at most, in steps for each character of the host. */
  readonly size: number
  /** What stands in `.*\.x\..*`, the usual one, in lower case; `null` in others. */
  readonly below: string | null
}

/**
 * `null` for patterns that routers may read in another way than what they are tested with here: look-around, back
 * references, classes within classes, escapes that not every dialect has.
 */
export function hostPattern(pattern: string): HostPattern | null {
  const [, below] = usual.exec(pattern) ?? []
  if (below !== undefined) {
    const name = below.replaceAll('\\', '').toLowerCase()
    return { matches: (host) => host.includes(`.${name}.`), size: 1, below: name }
  }
  if (literal.test(pattern)) {
    const name = pattern.replaceAll('\\', '').toLowerCase()
    return { matches: (host) => host === name, size: 1, below: null }
  }
  if (!alikeEverywhere.test(pattern)) return null
  try {
    const tested = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    return { matches: (host) => tested.testExact(host), size: tested.programSize(), below: null }
  } catch {
    return null
  }
}

/** `.*\.x\..*` */
const usual = /^\.\*\\\.([\w-]+(?:\\\.[\w-]+)*)\\\.\.\*$/
/** `www\.example\.net` */
const literal = /^[\w-]+(?:\\\.[\w-]+)*$/
const alikeEverywhere =
  /^(?:\\[^A-Za-z0-9]|\\[bBdDsSwW]|\[\^?(?:\\[^A-Za-z0-9]|\\[dDsSwW]|[^\\[\]&^])+\]|\((?:\?:)?(?!\?)|[^\\[(])*$/

/**
 * Names that a pattern is written for, in lower case: those made of the words in it that it matches itself. None of one
 * that names nothing, as `.*` does not.
 */
export function hostsNamed(
  pattern: string,
  { matches, below }: HostPattern,
  { routingName, domainName }: { readonly routingName: string; readonly domainName: string },
): string[] {
  const [first, last] = [routingName.toLowerCase(), domainName.toLowerCase()]
  if (below !== null) return [`${first}.${below}.${last}`]
  const words = pattern
    .toLowerCase()
    .replaceAll('\\', '')
    .split(/\.\*|[^a-z0-9_.-]+/)
    .map((word) => word.replace(/^\.+|\.+$/g, ''))
    .filter((word) => word !== '')
  const hosts = words.flatMap((word) => [word, `${first}.${word}`, `${first}.${word}.${last}`])
  return [...new Set(hosts)].filter(matches)
}

/** What two ways to write the same pattern have in common. */
export const sameText = (pattern: string): string =>
  pattern
    .toLowerCase()
    .replace(/^\^|\$$/g, '')
    .replaceAll('[.]', '\\.')
