import { distance } from 'fastest-levenshtein'

/** What earlier releases read, and what others call it. */
const otherNames: Readonly<Record<string, string>> = {
  ARTIFACT_CACHE_MB: 'CACHE_MB',
  FORM_CACHE_MB: 'CACHE_MB',
  ANSWER_CACHE_MB: 'CACHE_MB',
  MONGO_URI: 'MONGODB_URI',
  MONGO_URL: 'MONGODB_URI',
  DATABASE_URL: 'MONGODB_URI',
  TLS_CERTIFICATE: 'TLS_CERT',
  TLS_PRIVATE_KEY: 'TLS_KEY',
  SSL_CERT: 'TLS_CERT',
  SSL_KEY: 'TLS_KEY',
}

/** Short names are like too many others'. */
const shortest = 7

/** A line for each name of a variable that is none, but is likely meant for one. */
export function meantNames(given: readonly string[], names: readonly string[]): string[] {
  const known = new Set(names)
  return given.flatMap((name) => {
    if (known.has(name) || /^VAULT_KEY_OLD/.test(name)) return []
    const plain = name.toUpperCase().replace(/^EDGEWRIGHT_/, '')
    const isOwn = plain.length >= shortest
    const meant = otherNames[plain] ?? names.find((one) => plain === one || (isOwn && distance(plain, one) <= 2))
    return meant === undefined || (name.startsWith('EDGEWRIGHT_') && plain.length < 5)
      ? []
      : [`${name} is not read; ${meant} is`]
  })
}
