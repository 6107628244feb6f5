import type { DocumentDiff } from '../../../compiler/snapshots/diff.js'
import type { Fault } from '../../../compiler/snapshots/faults.js'
import { conflict, invalid, noSuch } from '../../config/errors.js'
import { textBeginning } from '../../config/textBeginning.js'
import { inSlices } from '../../flow/slices.js'
import type { Transaction } from '../../journal/transaction.js'
import { globalValues } from '../../schema/globals.js'
import type { Caller } from '../../schema/privileges.js'
import { system } from '../../schema/privileges.js'
import type { Parts } from '../parts.js'
import { activate, dateAfter } from './activate.js'
import { compared } from './compare.js'
import type { Freezable } from './compiled.js'
import { compiledForFreezing } from './compiled.js'
import { contents } from './differing.js'
import { newestVersion } from './find.js'
import type { Prepared, Version } from './frozenVersions.js'
import { longestFreeze } from './frozenVersions.js'
import type { DocumentName, Documents } from './packs.js'
import { documentNames } from './packs.js'
import { originOf } from './stamp.js'

type Uses = Pick<
  Parts,
  | 'failed'
  | 'data'
  | 'now'
  | 'versions'
  | 'committer'
  | 'settings'
  | 'log'
  | 'artifacts'
  | 'compileTogether'
  | 'workingSet'
>

export interface Frozen {
  readonly version: Version
  /** The journal revision that holds it. */
  readonly committed: number
  /** Faults that were passed over. */
  readonly faults: readonly Fault[]
}

/** Each time another operator was first there is a newer version to build upon. */
const mostAttempts = 20

/**
 * Freezes what the documents of a CDN are now as a new version, and activates it. Blobs first, then one journal
 * entry: before it nothing is seen of the version, after it all of it, on every instance.
 */
export async function freeze(
  cdnId: number,
  { who, force, asked }: { who: { user: Caller; requestId: string }; force: boolean; asked: string | null },
  services: Uses,
): Promise<Frozen> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const found = await compiledForFreezing(cdnId, services)
    if (found.faults.length > 0 && !force) {
      throw invalid(found.faults.map(({ code, text }) => ({ path: '', text: `${code}: ${text}` })))
    }
    const base = newestVersion(services.data, cdnId)
    // Another freeze came later and was faster.
    if (base && base.revision > found.revision) continue
    const changes = await changesSince(base, found.documents, services)
    const begun = services.now().getTime()
    const prepared = await services.versions.store(cdnId, found.documents, base)
    const committed = await services.committer.write(who, (transaction) => {
      const isOvertaken = newestVersion(transaction.data, cdnId)?.id !== base?.id
      if (isOvertaken || services.now().getTime() - begun > longestFreeze) return null
      return record(transaction, { cdnId, found, prepared, changes: JSON.stringify(changes), asked }, services)
    })
    if (!committed.value) continue
    const { version, dropped } = committed.value
    if (found.faults.length > 0) {
      services.log.warn(
        { cdn: version.cdnName, version: version.version, user: who.user.username, faults: found.faults },
        'freeze forced',
      )
    }
    await sweep(dropped, services)
    return { version, committed: committed.revision, faults: found.faults }
  }
  throw conflict('Others are freezing this CDN at the same time. Nothing was frozen; try again.')
}

/** Removes blobs that no version names any more. What fails is left for the next time. */
export async function sweep(
  dropped: readonly Version[],
  services: Pick<Uses, 'versions' | 'data' | 'failed'>,
): Promise<void> {
  await services.versions.sweep(dropped, services.data).catch((error: unknown) => services.failed('leftovers', error))
}

/** Per document and section: how many entries were added, removed and changed. */
export type Changes = Readonly<Record<DocumentName, DocumentDiff['sections']>>

export async function changesSince(
  base: Version | null,
  documents: Documents,
  { versions }: Pick<Uses, 'versions'>,
): Promise<Changes> {
  const counted = documentNames.map(async (name) => {
    if (!base) return [name, await inSlices(contents(documents[name]))] as const
    const before = await versions.document(base, name)
    const { sections } = await inSlices(compared(before, documents[name], { offset: 0, limit: 0 }))
    return [name, sections] as const
  })
  return Object.fromEntries(await Promise.all(counted)) as Changes
}

interface Recorded {
  readonly cdnId: number
  readonly found: Freezable
  readonly prepared: Prepared
  readonly changes: string
  /** The host that was asked to freeze it; `null` when nobody asked over HTTP. */
  readonly asked: string | null
}

/** The journal entry: the version, its activation, and the old versions that make room for it. */
function record(
  transaction: Transaction,
  { cdnId, found, prepared, changes, asked }: Recorded,
  { settings }: Pick<Uses, 'settings'>,
): { version: Version; dropped: Version[] } {
  const cdn = transaction.data.get('cdns', cdnId)
  if (!cdn) throw noSuch('cdn', cdnId)
  const { documents, hashes, faults, revision } = found
  const { host, tool } = originOf(transaction.data, settings, asked)
  const last = transaction.data.get('activeSnapshots', cdnId)
  const version = transaction.create('snapshots', {
    cdnId,
    version: (last?.lastVersion ?? 0) + 1,
    revision,
    frozenBy: transaction.user.username,
    date: dateAfter(last?.date, transaction.time),
    cdnName: cdn.name,
    host,
    tool,
    faults: faults.length,
    forced: faults.length > 0,
    ...prepared,
    crConfigHash: hashes.CRConfig,
    crConfigBytes: documents.CRConfig.length,
    monitoringHash: hashes.monitoring,
    monitoringBytes: documents.monitoring.length,
    changes,
  })
  activate(transaction, version)
  const dropped = tooOld(transaction, cdnId)
  for (const { id } of dropped) transaction.remove('snapshots', id)
  const past = faults.length > 0 ? `, forced past ${faults.length} faults: ${summary(faults)}` : ''
  transaction.log(`Snapshot version ${version.version} of cdn ${cdn.name} from revision ${revision}${past}`)
  return { version, dropped }
}

const summary = (faults: readonly Fault[]): string => {
  const told = faults.slice(0, 5).map(({ text }) => text)
  return textBeginning([...told, ...(faults.length > told.length ? ['…'] : [])].join('; '), 900)
}

/** The global parameter `snapshots.keep` says how many versions of a CDN are kept; 100 without it. */
function tooOld({ data }: Transaction, cdnId: number): Version[] {
  const value = globalValues(data, system)['snapshots.keep'] ?? ''
  const keep = /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 100
  const byAge = [...data.by('snapshots', 'cdnId', cdnId)].sort((a, b) => b.version - a.version)
  return byAge.slice(keep)
}
