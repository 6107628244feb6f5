import { counts, importText, planLines, readDocument } from './document.js'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

export async function importCommand(
  file: string,
  { dryRun = false, ...options }: ServiceOptions & { dryRun?: boolean },
): Promise<void> {
  const text = await readDocument(file)
  await withClient(
    options,
    async (client) => {
      const result = await importText(client, text, dryRun ? { dryRun: 'true', changes: 'true' } : {})
      const lines = result.plan ? planLines(result.plan) : []
      const before = dryRun ? 'Nothing was written. It would be: ' : ''
      process.stdout.write([...lines, `${before}${counts(result)}\n`].join('\n'))
    },
    { existing: false },
  )
}
