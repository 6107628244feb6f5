import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * A folder with every plugin the compiled files may name: links to the installed ones, and stand-ins for those that
 * this machine has not got or cannot load. Kept between runs; the name says what it was made from.
 */
export async function pluginFolder(installed: string): Promise<string> {
  const standIns = await missingPlugins(installed)
  const names = (await readdir(installed)).filter((name) => name.endsWith('.so') && !standIns.includes(name))
  const made = createHash('sha256')
    .update(JSON.stringify([installed, names, standIns, standInSource]))
    .digest('hex')
  const folder = join(tmpdir(), `edgewright-plugins-${made.slice(0, 16)}`)
  if (existsSync(folder)) return folder

  // Made aside and moved into place, so that two test runs at once never see it half made.
  const draft = await mkdtemp(`${folder}-`)
  for (const name of names) await symlink(join(installed, name), join(draft, name))
  await compileStandIns(draft, standIns)
  await run('chmod', ['a+rx', draft])
  await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return folder
}

/** Plugins of the field that Debian does not package, and fq_pacing, which loads only on the `fq` queue discipline. */
async function missingPlugins(installed: string): Promise<string[]> {
  const absent = ['astats_over_http.so', 'cacheurl.so', 'dscp_remap.so', 'fq_pacing.so'].filter(
    (name) => !existsSync(join(installed, name)),
  )
  const discipline = await readFile('/proc/sys/net/core/default_qdisc', 'utf8').catch(() => '')
  return discipline.trim() === 'fq' || absent.includes('fq_pacing.so') ? absent : [...absent, 'fq_pacing.so']
}

/** Loads as a global plugin and as a remap plugin, and changes nothing. */
const standInSource = `
typedef struct { const char *name, *vendor, *email; } registration;
extern int TSPluginRegister(const registration *);
void TSPluginInit(int count, const char *values[]) {
  registration self = { "stand_in", "edgewright", "none" };
  TSPluginRegister(&self);
}
int TSRemapInit(void *api, char *error, int size) { return 0; }
int TSRemapNewInstance(int count, char **values, void **instance, char *error, int size) { *instance = 0; return 0; }
void TSRemapDeleteInstance(void *instance) {}
int TSRemapDoRemap(void *instance, void *transaction, void *request) { return 0; }
`

async function compileStandIns(folder: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const sources = join(folder, 'source')
  await mkdir(sources)
  const source = join(sources, 'stand_in.c')
  await writeFile(source, standInSource)
  for (const name of names) await run('gcc', ['-shared', '-fPIC', '-nostdlib', '-w', '-o', join(folder, name), source])
  await rm(sources, { recursive: true })
}
