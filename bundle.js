import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/** What is started by name: the program, and what threads run. */
const started = [
  'api/main.ts',
  'workers/thread.ts',
  'workers/hashThread.ts',
  'api/operations/backup/prepareThread.ts',
  'api/operations/upstream/readThread.ts',
]

/** Packages with native parts or threads of their own, those that few need, who load them then, and one that may be missing. */
const leftOut = [
  '@peculiar/x509',
  'chokidar',
  'cli-progress',
  'lmdb',
  'mongodb',
  'nodemailer',
  'pino',
  'piscina',
  'reflect-metadata',
  'supports-color',
]

/**
 * `node bundle.js FOLDER [MODULE…]`: puts what is started by name, and these modules, into a few files, together with all that it needs: to find and
 * to load a thousand files one by one is most of a start, of each thread, too. The packages that come with it have their
 * licences beside it.
 */
const [folder, ...more] = process.argv.slice(2)
rmSync(join(folder, 'parts'), { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: [...started, ...more],
  outdir: folder,
  // Each file is as deep as `workers/threadModule.ts` is.
  chunkNames: 'parts/[name]-[hash]',
  outbase: '.',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  banner: {
    js: "import { createRequire as requireIn } from 'node:module'\nconst require = requireIn(import.meta.url)",
  },
  external: leftOut,
  plugins: [{ name: 'JSON', setup: asText }],
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
})
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
)
writeFileSync(join(folder, 'LICENSES.txt'), [...packages].sort().map(licenceOf).join('\n'))

/** JSON is parsed when it is loaded: as code, each of a list's ten thousand words would have its place in the maps. */
function asText({ onLoad }) {
  onLoad({ filter: /\.json$/ }, async ({ path }) => {
    const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')))
    return { contents: `module.exports = JSON.parse(${JSON.stringify(text)})` }
  })
}

function licenceOf(where) {
  const { name, version, license } = JSON.parse(readFileSync(join(where, 'package.json'), 'utf8'))
  const texts = readdirSync(where)
    .filter((file) => /^(licen[sc]e|notice)/i.test(file))
    .map((file) => readFileSync(join(where, file), 'utf8').trim())
  return `${[`${name} ${version}: ${license}`, ...texts].join('\n\n')}\n`
}
