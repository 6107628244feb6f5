import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import { catalogue } from '../compiler/listing/configFiles.js'
import { goldenCases } from './goldenCases.js'

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')

/** What each folder may import that is not ours. In which direction the rooms may look, the linter says (biome.json). */
const packages: Readonly<Record<string, readonly string[]>> = {
  compiler: ['handlebars', 'ipaddr.js', 'lru-cache', 'node:crypto', 'node:fs', 'node:net', 'node:path', 'node:url'],
  workers: ['piscina', 'node:crypto', 'node:events', 'node:worker_threads'],
  'api/store': ['mongodb', 'lmdb', 'node:*'],
}

/** One file each, because what it brings in must not spread. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'compiler/core/watchTemplates.ts': ['chokidar'],
}

/** Programs and threads, as the build knows them. */
const startedByName = new Set(
  [.../const started = \[([^\]]*)/.exec(read('bundle.js'))![1]!.matchAll(/'([^']*)'/g)].map(([, path]) => path!),
)

/** Globals and modules through which a compile could come to depend on more than the data. */
const impure =
  /\b(Date\.now|new Date\(\)|Math\.random|process\.(env|hrtime)|performance\.now|randomBytes|randomUUID|fetch\(|setTimeout|setInterval)/

describe('the folders', () => {
  for (const [folder, allowed] of Object.entries(packages)) {
    it(`${folder}/ imports only the packages it may`, () => {
      const strays = sourcesIn(folder).flatMap((path) =>
        importsOf(path)
          .filter((name) => !name.startsWith('.') && !isAllowed(name, [...allowed, ...(exceptions[path] ?? [])]))
          .map((name) => `${path} imports ${name}`),
      )
      expect(strays).to.deep.equal([])
    })
  }

  it('keep each of these packages in one place', () => {
    const places = {
      mongodb: 'api/store/',
      lmdb: 'api/store/',
      piscina: 'workers/',
      handlebars: 'compiler/core/handlebars.ts',
    }
    const all = ['api', 'compiler', 'workers'].flatMap(sourcesIn)
    const strays = Object.entries(places).flatMap(([name, place]) =>
      all.filter((path) => !path.startsWith(place) && importsOf(path).includes(name)),
    )
    expect(strays).to.deep.equal([])
  })

  it('compile without a clock, chance or environment', () => {
    const strays = sourcesIn('compiler').filter((path) => !(path in exceptions) && impure.test(withoutComments(path)))
    expect(strays).to.deep.equal([])
  })

  it('hold middlewares that can be read at one sight', () => {
    const long = sourcesIn('api/middleware').filter((path) => read(path).split('\n').length > 81)
    expect(long).to.deep.equal([])
  })

  it('say why wherever a failure is passed over', () => {
    // What is not waited for at all, the linter finds.
    const passedOver = /\.catch\(\(\) =>|\bcatch \{\s*\}|^\s*void [\w.]+\(|[;)] void [\w.]+\(/
    const strays = ['api', 'compiler', 'workers'].flatMap(sourcesIn).flatMap((path) => {
      const lines = read(path).split('\n')
      const hasReason = (at: number) => /^\s*\/\//.test(lines[at - 1] ?? '')
      return lines.flatMap((line, at) => (passedOver.test(line) && !hasReason(at) ? [`${path}:${at + 1}`] : []))
    })
    expect(strays).to.deep.equal([])
  })

  it('cut nothing out of a message: what has to be known of an error is a field of it', () => {
    const cut =
      /\bmessage\)?!?\??\.(split|slice|substring|replace|replaceAll|match|matchAll|includes|startsWith|endsWith|indexOf|search)\(|\.(test|exec)\([^()]*\.message\)/
    const strays = ['api', 'compiler', 'workers'].flatMap(sourcesIn).filter((path) => cut.test(withoutComments(path)))
    expect(strays).to.deep.equal([])
  })

  it('hold no file that nothing brings in: each kind, route and config file has a line in the index of its room', () => {
    const sources = ['api', 'compiler', 'workers'].flatMap(sourcesIn)
    const imported = new Set(sources.flatMap((path) => importsOf(path).map((name) => sourceOf(path, name))))
    expect(sources.filter((path) => !imported.has(path) && !startedByName.has(path))).to.deep.equal([])
  })

  it('have every module of a thread built', () => {
    const named = /\bthreadModule\('([^']+)'\)|\bmodule: '([^']+)'/g
    const modules = ['api', 'workers']
      .flatMap(sourcesIn)
      .flatMap((path) => [...read(path).matchAll(named)].map(([, one, other]) => `${one ?? other}.ts`))
    expect(['api/main.ts', ...modules]).to.have.members([...startedByName])
  })

  it('say why wherever a type is forced', () => {
    const forced = /\bas (?:unknown as|never)\b/
    const strays = ['api', 'compiler', 'workers'].flatMap(sourcesIn).flatMap((path) => {
      const lines = read(path).split('\n')
      return lines.flatMap((line, at) => {
        if (!forced.test(line.replace(/^\s*(?:\/\/|\/?\*).*/, '').replace(/(['"`]).*?\1/g, ''))) return []
        const why = lines.slice(Math.max(0, at - 2), at).some((line) => /^\s*\/\//.test(line))
        return why ? [] : [`${path}:${at + 1}`]
      })
    })
    expect(strays).to.deep.equal([])
  })

  it('hold nothing beside what the layout names', () => {
    const known = new Set(['api', 'compiler', 'templates', 'workers', 'test', 'dist', 'node_modules', 'data', 'out'])
    const folders = readdirSync(packageRoot, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const strays = folders.map(({ name }) => name).filter((name) => !name.startsWith('.') && !known.has(name))
    expect(strays).to.deep.equal([])
  })
})

describe('config files and snapshots', () => {
  const templates = readdirSync(join(packageRoot, 'templates')).map((file) => file.replace(/\.hbs$/, ''))

  it('each have a template', () => {
    const without = catalogue.definitions.filter(({ template }) => !templates.includes(template))
    const files = without.map(({ template }) => `templates/${template}.hbs`)
    expect(files, 'templates that are not there').to.deep.equal([])
  })

  it('each have a sample', () => {
    const sampled = new Set(goldenCases().map(({ file }) => catalogue.resolve(file)?.definition))
    const without = catalogue.definitions.filter((definition) => !sampled.has(definition))
    const commands = without.map(({ name }) => `npm run golden -- --update ${name}`)
    expect(commands, 'then read what they write to test/samples/').to.deep.equal([])
  })

  it('use every template there is', () => {
    const used = new Set(catalogue.definitions.map(({ template }) => template))
    used.add(catalogue.resolve('a file nobody defines')?.definition.template ?? '')
    const texts = templates.map((name) => read(`templates/${name}.hbs`))
    for (const text of texts) for (const [, name] of text.matchAll(/\{\{~?#?>\s*"?\[?([\w.-]+)/g)) used.add(name!)
    const sources = sourcesIn('compiler').map(read).join('\n')
    const orphans = templates.filter((name) => !used.has(name) && !sources.includes(`'${name}'`))
    expect(orphans).to.deep.equal([])
  })
})

function sourcesIn(folder: string): string[] {
  if (!existsSync(join(packageRoot, folder))) return []
  const files = readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${file}`)
}

/** The source that an import of ours names. */
const sourceOf = (path: string, name: string): string => join(path, '..', name).replace(/\.js$/, '.ts')

function importsOf(path: string): string[] {
  const statements =
    /^\s*(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  return [...withoutComments(path).matchAll(statements)].flatMap(
    ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? [],
  )
}

const withoutComments = (path: string): string => read(path).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const isAllowed = (name: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
