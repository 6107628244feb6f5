import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const isCompiled = import.meta.url.endsWith('.js')

/**
 * What node is given to run a module of this package in another process, as this one runs: compiled, or from its source.
 *
 * @param module from the top, without its ending: `api/main`
 */
export function childArguments(module: string): string[] {
  const file = fileURLToPath(new URL(`${module}.${isCompiled ? 'js' : 'ts'}`, root))
  return isCompiled ? [file] : ['--import', 'tsx', file]
}
