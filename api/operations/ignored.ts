import type { TSchema } from '@sinclair/typebox'
import { saysNothing } from '../records/nothing.js'
import { shownNames } from '../records/recordSchema.js'

type Values = Readonly<Record<string, unknown>>

/** So many names are told. */
const mostTold = 20
/** Longest name that is told whole, in characters of the header: proxies take no long ones. */
const longest = 60

/**
 * What a body says that nothing reads, by its place (`certificate.comment`): whatever its schema does not name, but for
 * what answers show beside it, which clients send back, and names under which nothing is said.
 */
export function ignoredIn(schema: TSchema, body: unknown): string[] {
  const names = new Set<string>()
  collect(schema, body, '', names)
  return [...names]
}

function collect(schema: TSchema, given: unknown, place: string, names: Set<string>): void {
  const options: readonly TSchema[] = schema.anyOf ?? [schema]
  if (Array.isArray(given)) {
    const items = options.find(({ type }) => type === 'array')?.items as TSchema | undefined
    if (items) for (const one of given) collect(items, one, place, names)
    return
  }
  const declared = options.find(({ properties }) => properties !== undefined)
  if (!declared || typeof given !== 'object' || given === null) return
  for (const [name, value] of Object.entries(given as Values)) {
    const within: TSchema | undefined = Object.hasOwn(declared.properties, name) ? declared.properties[name] : undefined
    if (within) collect(within, value, `${place}${name}.`, names)
    else if (!saysNothing(value) && !(declared as Shown)[shownNames]?.includes(name)) names.add(place + name)
  }
}

type Shown = { readonly [shownNames]?: readonly string[] }

/** The names as a header may have them: whatever is no plain character is escaped, as in a URL; of many the first ones. */
export function ignoredText(names: readonly string[]): string {
  const more = names.length - mostTold
  return [...names.slice(0, mostTold).map(plain), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

function plain(name: string): string {
  let text = ''
  for (const character of name) {
    const escaped = encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\uFFFD' : character)
    if (text.length + escaped.length > longest) return `${text}...`
    text += text === '' && character === '?' ? character : escaped
  }
  return text
}
