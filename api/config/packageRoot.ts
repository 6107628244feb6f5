import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where package.json and templates/ are: one folder up from the sources, two from `dist/`. */
export const packageRoot: string = rootAbove(dirname(fileURLToPath(import.meta.url)))

/** As package.json says. */
export const { version: productVersion } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string
}

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder))
}
