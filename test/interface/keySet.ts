/** Places in the answers of a route whose keys are data: names, addresses, records of any kind. `*` stands for them. */
const maps: readonly (readonly [route: string, keys: RegExp])[] = [
  ['/changes', /^changes\[\]\.(before|after)\.[^.]+$/],
  ['/servers/checks', /^checks\.[^.]+$/],
  ['/servers/details', /^hardwareInfo\.[^.]+$/],
  ['/servers/hostname/:name/details', /^hardwareInfo\.[^.]+$/],
  ['/servers/status', /^[^.]+$/],
  ['/cdns/name/:name/dnsseckeys', /^[^.]+$/],
]

/** The keys of answers: each with the path to it, and in how many of the objects it could have been in. */
export class KeySet {
  readonly #objects = new Map<string, number>()
  readonly #keys = new Map<string, number>()
  readonly #maps: readonly RegExp[]

  /** @param route its path */
  constructor(route: string) {
    this.#maps = maps.flatMap(([path, keys]) => (path === route ? [keys] : []))
  }

  /** Of a body in the envelope what is in `response`, and what is beside it as `(key)`. */
  add(body: unknown): void {
    if (!isEnveloped(body)) this.#collect(body, '')
    else
      for (const [key, value] of Object.entries(body)) {
        if (key === 'response') this.#collect(value, '')
        else if (key !== 'alerts' && key !== 'changes') this.#note(`(${key})`, value)
      }
  }

  /** In order; `?` behind those that not every object has. */
  get paths(): string[] {
    return [...this.#keys].map(([path, times]) => `${path}${times < this.#objectsAbove(path) ? '?' : ''}`).sort()
  }

  #collect(value: unknown, prefix: string): void {
    if (Array.isArray(value)) for (const one of value) this.#collect(one, prefix.replace(/\.$/, '[].'))
    else if (typeof value === 'object' && value !== null) {
      this.#objects.set(prefix, (this.#objects.get(prefix) ?? 0) + 1)
      for (const [key, inner] of Object.entries(value)) {
        const isData = this.#maps.some((map) => map.test(prefix + key))
        this.#note(prefix + (isData ? '*' : key), inner)
      }
    }
  }

  #note(path: string, value: unknown): void {
    this.#keys.set(path, (this.#keys.get(path) ?? 0) + 1)
    this.#collect(value, `${path}.`)
  }

  #objectsAbove(path: string): number {
    return /[*)]$/.test(path) ? 0 : (this.#objects.get(path.slice(0, path.lastIndexOf('.') + 1)) ?? 0)
  }
}

const isEnveloped = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && ('response' in body || 'alerts' in body)
