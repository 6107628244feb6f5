import { createRecordKinds } from '../../journal/kinds.js'
import { recordKinds } from '../../records/kinds/index.js'
import { Contents } from './contents.js'
import type { Header } from './format.js'
import { BackupDamaged, checkBackup } from './format.js'

/**
 * Reads a backup to its end and looks whether a store can be made of it that a service can serve: whoever makes a file
 * can write anything into it. Throws BackupDamaged, naming the line, the kind and the field.
 *
 * @param goOn throws when nobody wants to know any more
 */
export async function checkRestorable(file: string, goOn: () => void = () => {}): Promise<Header> {
  const contents = new Contents(createRecordKinds(recordKinds))
  const header = await checkBackup(file, (line, number) => {
    goOn()
    refuse(contents.take(line, number))
  })
  for await (const fault of contents.faults()) {
    goOn()
    refuse(fault)
  }
  return header

  function refuse(fault: string | null): void {
    if (fault !== null) throw new BackupDamaged(file, fault)
  }
}
