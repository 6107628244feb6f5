import type { Logger } from 'pino'
import { headerOf } from '../../compiler/cdn/header.js'
import type { Artifact } from '../../compiler/core/artifacts.js'
import { Artifacts } from '../../compiler/core/artifacts.js'
import { Budget } from '../../compiler/core/budget.js'
import type { CompileBasis, CompileJob } from '../../compiler/core/compile.js'
import { FragmentCache } from '../../compiler/core/keptFragments.js'
import { createRegistry } from '../../compiler/core/registry.js'
import { loadTemplates } from '../../compiler/core/templates.js'
import { watchTemplates } from '../../compiler/core/watchTemplates.js'
import { configFiles, unknownFile } from '../../compiler/files/index.js'
import { createPool } from '../../workers/pool.js'
import { SharedLog } from '../../workers/sharedLog.js'
import { serviceUrl } from '../config/serviceUrl.js'
import type { Settings } from '../config/settings.js'
import { compileInPool } from '../operations/compiling.js'
import type { Metrics } from '../operations/metrics.js'
import type { OpenData } from './openData.js'

interface Given extends Pick<OpenData, 'workingSet' | 'secrets' | 'vault'> {
  readonly log: Logger
  readonly metrics: Metrics
  readonly templateFolder: string
  /** There is no room left for what is kept in memory. */
  readonly crowded: () => void
  /** A file was compiled again. */
  readonly replaced: (old: Artifact, next: Artifact) => void
}

export type Compiler = ReturnType<typeof createCompiler>

/** The threads, what they compile with, and the files they have compiled. */
export function createCompiler({ cacheBytes, workers, ...settings }: Settings, given: Given) {
  const { workingSet, secrets, vault, log, metrics, templateFolder } = given
  const first = loadTemplates(templateFolder)
  let { templates } = first
  for (const fault of first.broken) log.error(fault, 'a template does not compile')
  const sharedLog = new SharedLog(workingSet, templates)
  const registry = createRegistry(configFiles, unknownFile, headerOf)
  const basis = { registry, serviceUrl: serviceUrl(settings), unseal: vault.unseal }
  // A quarter for what threads keep of their own, the rest for what is kept here.
  const threadBytes = cacheBytes / 4
  const budget = new Budget(cacheBytes - threadBytes, given.crowded)
  const pool = createPool({
    workers,
    log: sharedLog,
    vaultKey: secrets.vaultKey,
    serviceUrl: basis.serviceUrl,
    partBytes: Math.floor(threadBytes / workers),
    onTask: ({ waited }) => metrics.task(waited),
    onDeath: (error) => {
      metrics.threadDied()
      log.error({ err: error }, 'a compiling thread died')
    },
  })
  const fragments = new FragmentCache(budget.maxBytes)
  budget.join('parts', fragments)
  const watch = watchTemplates({
    folder: templateFolder,
    templates,
    onChange: (changed) => {
      templates = changed
      sharedLog.publish(templates)
      fragments.clear()
    },
    onRefused: (refused) => {
      metrics.brokenTemplates(watch.broken().length)
      for (const fault of refused) log.error(fault, 'a template does not compile; its last good text stays in use')
    },
  })
  const compiling = compileInPool({ pool, metrics, log })
  const artifacts = new Artifacts({
    workingSet,
    templates: () => templates,
    make: compiling.one,
    budget,
    replaced: given.replaced,
  })
  return {
    pool,
    sharedLog,
    registry,
    budget,
    fragments,
    artifacts,
    compileMany: compiling.many,
    compileTogether: async (jobs: readonly CompileJob[]) =>
      (await compiling.together(jobs)).map((made, at) => artifacts.keep(jobs[at]!, made)),
    compileBasis: (): CompileBasis => ({ ...basis, workingSet, templates, fragments }),
    templates: () => templates,
    brokenTemplates: () => [...first.broken, ...watch.broken()].map(({ name }) => name),
    close: async () => {
      await watch.close()
      await pool.close()
    },
  }
}
