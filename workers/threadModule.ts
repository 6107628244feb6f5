/**
 * The module that a thread runs, as this program runs: built, compiled, or from its source. Built, all of the program is
 * in a few files, each in a folder of the topmost, as this one is in `workers/`.
 *
 * @param path from the top, without its ending
 */
export const threadModule = (path: string): URL => new URL(`../${path}.${ending}`, import.meta.url)

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
