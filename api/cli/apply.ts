import { confirmed } from './confirmed.js'
import { counts, importText, planLines, readDocument } from './document.js'
import { CommandFailed } from './failed.js'
import { Refused } from './service/client.js'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

/**
 * Shows what a document would change, asks, and changes exactly that in one commit. Who writes meanwhile is not
 * overwritten: what was agreed to is what is made, or nothing.
 */
export async function applyCommand(
  file: string,
  { prune = false, yes = false, dryRun = false, ...options }: ServiceOptions & ApplyOptions,
): Promise<void> {
  const text = await readDocument(file)
  if (!yes && !dryRun && (file === '-' || !process.stdin.isTTY))
    throw new CommandFailed('nobody is there to agree to the plan: repeat with --yes, or look at it with --dry-run')
  await withClient(
    options,
    async (client) => {
      const asked = { prune: prune ? 'true' : undefined } as const
      const planned = await importText(client, text, { ...asked, dryRun: 'true', changes: 'true' })
      // A service that answers without one is older than plans.
      const { plan } = planned
      if (!plan) throw new CommandFailed(`${client.name} makes no plans; it is older than this command`)
      const size = plan.changes.length + plan.more
      process.stdout.write(
        planLines(plan)
          .map((line) => `${line}\n`)
          .join(''),
      )
      process.stdout.write(size === 0 ? 'Nothing to change.\n' : `${size} to change: ${counts(planned)}\n`)
      if (size === 0 || dryRun) return
      if (!yes && !(await confirmed(`Apply this to ${client.name}?`))) throw new CommandFailed('nothing was changed')
      const made = await importText(client, text, { ...asked, plan: plan.digest }).catch((error: unknown) => {
        if (error instanceof Refused && error.status === 412) throw new CommandFailed(error.texts.join(' '))
        throw error
      })
      process.stdout.write(`Applied: ${counts(made)}\n`)
    },
    { existing: false },
  )
}

interface ApplyOptions {
  readonly prune?: boolean
  readonly yes?: boolean
  readonly dryRun?: boolean
}
