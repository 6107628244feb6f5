import type { Artifact } from '../../../compiler/core/artifacts.js'

/** Under which keys there may be answers of an artifact. */
export class KeysOfArtifacts {
  readonly #keys = new WeakMap<Artifact, Set<string>>()

  get(artifact: Artifact): Iterable<string> {
    return this.#keys.get(artifact) ?? []
  }

  note(artifact: Artifact, key: string): void {
    const keys = this.#keys.get(artifact)
    if (keys) keys.add(key)
    else this.#keys.set(artifact, new Set([key]))
  }
}
