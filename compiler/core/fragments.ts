import type { Fragment, FragmentKey, Making } from './reader.js'

/** Who asks for a part: the reader that notes what it read, and where its warnings go. */
export type Asking = Pick<Making, 'data' | 'warn'>

/**
 * Declares a part that several artifacts share, for instance one delivery service's remap lines. Called with who asks
 * and its keys, it gives the part as it is kept, or makes it: until something it read changes, it is made once.
 *
 * It is declared where a module begins, before anything is compiled, and never inside a view: so `make` has nothing to
 * close over but the program itself. What it needs to know of a subject comes as keys; `facts` makes one of many.
 */
export function defineFragment<K extends readonly FragmentKey[], T>(
  name: string,
  make: (making: Making, ...keys: K) => T,
): (asking: Asking, ...keys: K) => T {
  if (names.has(name)) throw new Error(`two fragments are named ${name}`)
  if (sealed) throw new Error(`the fragment ${name} is declared after the first compile`)
  names.add(name)
  const fragment: Fragment<K, T> = Object.freeze({ name, keys: make.length - 1, make })
  return ({ data, warn }, ...keys) => data.kept(fragment, keys, warn)
}

/** From now on no fragment can be declared: called before anything is compiled. */
export function sealFragments(): void {
  sealed = true
}

const names = new Set<string>()
let sealed = false
