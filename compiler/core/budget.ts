import { LRUCache } from 'lru-cache'

/** A cache that is counted with others. */
export interface Member {
  readonly bytes: number
  /** Lets go of what was not used for longest. False when there is nothing left. */
  shrink(): boolean
}

/**
 * One bound on what several caches keep together. When it is passed, the one that holds most lets go of what it has
 * not used for longest: a flood of one kind, such as URLs that nobody asks for twice, makes room for itself.
 */
export class Budget {
  readonly #members = new Map<string, Member>()

  /** @param full told when something is let go of for want of room, which may still have been of use */
  constructor(
    readonly maxBytes: number,
    private readonly full: () => void = () => undefined,
  ) {}

  join(name: string, member: Member): void {
    this.#members.set(name, member)
  }

  /** A cache by the time of use, counted in. Call `trim` after what it was given. */
  cache<V extends object | string>(
    name: string,
    options: { size(value: V, key: string): number; dispose?(value: V, key: string): void },
  ): LRUCache<string, V> {
    const cache = new LRUCache<string, V>({
      maxSize: this.maxBytes,
      sizeCalculation: options.size,
      ...(options.dispose ? { dispose: options.dispose } : {}),
    })
    this.join(name, {
      get bytes() {
        return cache.calculatedSize
      },
      shrink: () => cache.pop() !== undefined,
    })
    return cache
  }

  /** Makes room until all is within the bound again. */
  trim(): void {
    if (this.bytes <= this.maxBytes) return
    while (this.bytes > this.maxBytes) {
      const [largest] = [...this.#members.values()].sort((a, b) => b.bytes - a.bytes)
      if (!largest?.shrink()) break
    }
    this.full()
  }

  get bytes(): number {
    let sum = 0
    for (const { bytes } of this.#members.values()) sum += bytes
    return sum
  }

  /** What each of the caches holds. */
  *shares(): Iterable<readonly [name: string, bytes: number]> {
    for (const [name, { bytes }] of this.#members) yield [name, bytes]
  }
}
