import { type FSWatcher, watch } from 'chokidar'
import type { BrokenTemplate, TemplateSet } from './templates.js'
import { loadTemplates } from './templates.js'

export interface TemplateWatch {
  /** Resolves once edits are seen. */
  readonly ready: Promise<void>
  /** The templates that are on disk but not in use, and why. */
  broken(): readonly BrokenTemplate[]
  close(): Promise<void>
}

/**
 * Follows the edits of a folder of templates while the program runs. Several edits at once make one new set; a
 * template that does not compile is refused, and its last good text stays in use.
 *
 * @param onChange gets each new set; not called when no text in use differs
 * @param onRefused gets all templates that are refused now, each time that list changes; empty when all are good again
 */
export function watchTemplates({
  folder,
  templates,
  onChange,
  onRefused,
}: {
  folder: string
  templates: TemplateSet
  onChange: (templates: TemplateSet) => void
  onRefused: (broken: readonly BrokenTemplate[]) => void
}): TemplateWatch {
  let current = templates
  let refused: readonly BrokenTemplate[] = []
  let pending: NodeJS.Timeout | undefined
  const refuse = (broken: readonly BrokenTemplate[]) => {
    const before = refused
    refused = broken
    if (JSON.stringify(refused) !== JSON.stringify(before)) onRefused(refused)
  }
  /** Nobody can catch what a timer or a watcher throws, and the templates in use are still good. */
  const cannotFollow = (error: unknown) => {
    refuse([{ name: '*', message: `${folder} cannot be followed: ${error instanceof Error ? error.message : error}` }])
  }
  const reload = () => {
    pending = undefined
    try {
      const { templates, broken } = loadTemplates(folder, current)
      refuse(broken)
      if (templates === current) return
      current = templates
      onChange(current)
    } catch (error) {
      cannotFollow(error)
    }
  }
  const watcher: FSWatcher = watch(folder, { ignoreInitial: true, depth: 0 })
  watcher.on('error', cannotFollow)
  watcher.on('all', () => {
    clearTimeout(pending)
    pending = setTimeout(reload, settleMilliseconds)
  })
  return {
    ready: new Promise((resolve) => watcher.once('ready', () => resolve())),
    broken: () => refused,
    close: async () => {
      clearTimeout(pending)
      await watcher.close()
    },
  }
}

/** Editors write a file in several steps, and several files at a time. */
const settleMilliseconds = 50
