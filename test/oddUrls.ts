type Chance = () => number

export const pick = <T>(of: readonly T[], chance: Chance): T => of[Math.floor(chance() * of.length)]!

/** Parameters that lists know, some that none knows, and some that mean something to JavaScript. */
const names = [
  'name',
  'id',
  'hostName',
  'orderby',
  'limit',
  'offset',
  'page',
  'sortOrder',
  'cdn',
  'type',
  'x',
  'explain',
]
const hostile = ['__proto__', 'constructor', 'toString', '', 'wait', 'rev', 'Name', 'dryRun', '0', '10']
const values = [
  '1',
  '2',
  'stream',
  'zzz',
  'true',
  '',
  'name',
  'desc',
  '?',
  '=',
  '%00',
  '%ff',
  '%E2%82%AC',
  'a+b',
  'a%2Bb',
]
const waits = ['wait=0s', 'wait=0', 'wait=?', 'wait=', 'rev=1', 'rev=', 'wait=0s&rev=1', 'rev=1&wait=0s', '%77ait=0s']

/** A spelling of a path and query that somebody might send, mostly wrong, out of few enough parts to meet again. */
export function oddUrl(paths: readonly string[], chance: Chance): string {
  let path = pick(paths, chance)
  if (chance() < 0.3) path = pick(pathChanges, chance)(path, chance)
  const parts: string[] = []
  while (chance() < 0.6) parts.push(part(chance))
  const separator = chance() < 0.1 ? pick(['&&', ';', '?', '%26', '&amp;'], chance) : '&'
  const query = parts.length > 0 ? `?${parts.join(separator)}` : chance() < 0.1 ? '?' : ''
  const fragment = chance() < 0.05 ? `#${part(chance)}` : ''
  const front = chance() < 0.05 ? pick(['http://x', 'HTTP://example.net:80', '//x'], chance) : ''
  return `${front}${path}${query}${fragment}`
}

function part(chance: Chance): string {
  if (chance() < 0.25) return pick(waits, chance)
  const name = chance() < 0.8 ? pick(names, chance) : pick(hostile, chance)
  // Nobody waits for a minute to see that it waits.
  const value = name === 'wait' ? '0s' : pick(values, chance)
  const spelt = chance() < 0.1 && name !== '' ? `%${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name
  return chance() < 0.05 ? spelt : `${spelt}=${value}`
}

const pathChanges: readonly ((path: string, chance: Chance) => string)[] = [
  (path) => `${path}.json`,
  (path) => `${path}/`,
  (path) => `${path}.json/`,
  (path) => path.replace('/api/', '//api/'),
  (path) => path.replace('1.3', '1.2'),
  (path) => path.toUpperCase(),
  (path) => `${path};name=zzz`,
  (path) => `${path}%3Fname=zzz`,
  (path) => `${path}%2e`,
  (path) => `${path}/%2e%2e`,
  (path) => `${path}/..`,
  (path) => path.replace(/\/([^/]*)$/, '%2F$1'),
  (path, chance) => {
    const at = 1 + Math.floor(chance() * (path.length - 1))
    return `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}`
  },
  (path) => `${path}?${'x=1&'.repeat(400)}`,
]
