import { type FSWatcher, watch } from 'chokidar'
import { type BrokenTemplate, loadTemplates, type TemplateSet } from './templates.js'

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
  const reload = () => {
    pending = undefined
    const loaded = loadTemplates(folder, current)
    const before = refused
    refused = loaded.broken
    if (JSON.stringify(refused) !== JSON.stringify(before)) onRefused(refused)
    if (loaded.templates === current) return
    current = loaded.templates
    onChange(current)
  }
  const watcher: FSWatcher = watch(folder, { ignoreInitial: true, depth: 0 })
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
