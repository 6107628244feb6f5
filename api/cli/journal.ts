import { isDays, keptDays, olderThan } from '../operations/journalKeep.js'
import { CommandFailed } from './failed.js'
import { withService } from './withService.js'

/** Removes old entries of the journal now, by the parameter or by `--days`. */
export async function journalTrimCommand({ days, dryRun = false }: { days?: string; dryRun?: boolean }): Promise<void> {
  if (days !== undefined && !isDays(days)) throw new CommandFailed('--days must be a whole number from 1 to 36500')
  await withService(
    async ({ services }) => {
      const kept = days === undefined ? keptDays(services) : Number(days)
      if (kept === null) {
        throw new CommandFailed(
          'there is no parameter journal.keepDays (profile GLOBAL, config file global), so everything is kept; give --days',
        )
      }
      const old = await olderThan(kept, services)
      if (!old) process.stdout.write(`No entry is older than ${kept} days.\n`)
      else if (dryRun) process.stdout.write(`Nothing was removed. It would be: ${said(old)}.\n`)
      else process.stdout.write(`Removed: ${said({ from: old.from, to: await services.store.trim(old.to) })}.\n`)
    },
    { existing: true },
  )
}

const said = ({ from, to }: { from: number; to: number }): string =>
  `${to - from + 1} entries, revisions ${from} to ${to}`
