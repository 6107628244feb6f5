import { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Fault } from '../../config/errors.js'
import { quoted } from '../../config/errors.js'
import { drained } from '../../flow/slices.js'
import { duplicates, missing } from '../../journal/checks.js'
import { complete } from '../../journal/complete.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { Row } from '../../schema/defineKind.js'
import type { Records } from '../../schema/records.js'
import type { Entry, LoadedRecord, StoredRecord } from '../../store/store.js'
import { fingerprintRecord } from '../../store/vaultFingerprint.js'
import type { SealedPlaces } from '../sealing/sealing.js'
import { openRecord, sealedPlaces } from '../sealing/sealing.js'
import { compared } from '../snapshots/compare.js'
import { readDocument, readManifest } from '../snapshots/frozenDocument.js'
import { documentNames } from '../snapshots/packs.js'
import type { BlobPiece, Line } from './lineShape.js'
import { journaledFaults, momentFaults, storedFaults } from './storedShape.js'

/** What went before a fault in a message: `holds in line 7 a cdn that no store has: name is required`. */
type Said = string

/**
 * What the lines of a backup hold: whether they are records, entries and documents that a service can serve, each and
 * together. Keeps in memory what a service keeps, and the stored documents, packed.
 */
export class Contents {
  readonly #catalogue: RecordKinds
  readonly #records: WorkingSet
  readonly #sealed: SealedPlaces
  /** In which line a record was said. */
  readonly #lines = new Map<string, number>()
  readonly #blobs = new Map<string, Uint8Array[]>()
  #state: number | null = null
  #newest: { revision: number; line: number } | null = null
  #next: number | null = null

  constructor(catalogue: RecordKinds) {
    this.#catalogue = catalogue
    this.#records = new WorkingSet(catalogue.schema)
    this.#sealed = sealedPlaces(catalogue)
  }

  /** What is wrong with a line; `null` when nothing is. */
  take(line: Line, number: number): Said | null {
    if ('blob' in line) return this.#takeBlob(line)
    if ('state' in line) return this.#takeState(line.state.revision, number)
    if ('record' in line) return this.#takeRecord(line.record, number)
    if ('entry' in line) return this.#takeEntry(line.entry, number)
    this.#next ??= line.journal.base + 1
    return this.#next === line.journal.base + 1 ? null : `holds in line ${number} another beginning of the journal`
  }

  /** What is wrong with all together, one after the other; `null` where something was looked at and nothing is. */
  async *faults(): AsyncGenerator<Said | null> {
    yield this.#revisionsFault()
    for (const resource of this.#catalogue.resources) {
      for (const id of this.#records.allIds(resource.kind)) {
        const row = this.#records.get(resource.kind, id) as Row
        const [fault] = [...missing(resource, row, null, this.#records), ...duplicates(resource, row, this.#records)]
        yield fault ? this.#saidOf(resource.kind, id, fault) : null
      }
    }
    for (const id of this.#records.allIds('snapshots')) yield await this.#snapshotFault(id)
  }

  #takeBlob({ blob, bytes }: BlobPiece): null {
    const pieces = this.#blobs.get(blob)
    const piece = Buffer.from(bytes, 'base64')
    if (pieces) pieces.push(piece)
    else this.#blobs.set(blob, [piece])
    return null
  }

  #takeState(revision: number, line: number): Said | null {
    if (this.#state !== null) return `holds in line ${line} a second state`
    this.#state = revision
    return null
  }

  #takeRecord({ kind, revision, record }: LoadedRecord, line: number): Said | null {
    if (!this.#newest || revision > this.#newest.revision) this.#newest = { revision, line }
    if (kind === fingerprintRecord.kind) return null
    if (!this.#catalogue.has(kind))
      return `holds in line ${line} a record of the kind '${quoted(kind)}', which there is not`
    const resource = this.#catalogue.of(kind)
    if (this.#records.get(kind, record.id))
      return saidIn(line, resource.label, { path: 'id', text: `id ${record.id} is there twice` })
    const [fault] = storedFaults(resource, record)
    if (fault) return saidIn(line, resource.label, fault)
    this.#lines.set(`${kind} ${record.id}`, line)
    this.#records.load(0, [{ kind, record: this.#opened(kind, record), revision }])
    return null
  }

  /** As a working set has it. What is sealed stands for itself: no key is needed to look at a backup. */
  #opened(kind: string, record: StoredRecord): Row {
    const open = openRecord(kind, record, this.#sealed, ({ sealed }) => sealed)
    return { ...open, ...complete(this.#catalogue.of(kind).fields, open) } as Row
  }

  #takeEntry({ revision, time, changes }: Entry, line: number): Said | null {
    const expected = this.#next ?? revision
    if (revision !== expected) return `holds in line ${line} entry ${revision} where ${expected} has to be`
    this.#next = revision + 1
    const [fault] = momentFaults(time)
    if (fault) return `holds in line ${line} an entry whose time is none`
    for (const { kind, id, before, after } of changes) {
      if (!this.#catalogue.has(kind)) continue
      const resource = this.#catalogue.of(kind)
      for (const record of [before, after]) {
        if (record === null) continue
        if (record.id !== id) return saidIn(line, resource.label, { path: 'id', text: `id must be ${id}` })
        const [fault] = journaledFaults(resource, record)
        if (fault) return saidIn(line, resource.label, fault)
      }
    }
    return null
  }

  /** What is newer than the state would come to be by itself when the store is opened. */
  #revisionsFault(): Said | null {
    if (this.#state === null) return 'does not say its revision'
    const last = (this.#next ?? this.#state + 1) - 1
    if (last !== this.#state) return `is of revision ${this.#state}, but its journal ends with ${last}`
    if (!this.#newest || this.#newest.revision <= this.#state) return null
    return `holds in line ${this.#newest.line} a record of revision ${this.#newest.revision}, and is of ${this.#state}`
  }

  /** Its documents are there, are those that it names, and can be read as such. */
  async #snapshotFault(id: number): Promise<Said | null> {
    const version = this.#records.get('snapshots', id) as Records['snapshots']
    const wrong = (path: string, text: string) => this.#saidOf('snapshots', id, { path, text: `${path}: ${text}` })
    if (!isObject(version.changes)) return wrong('changes', 'is no JSON object')
    const blobs = async (key: string) => {
      const pieces = this.#blobs.get(key)
      return pieces ? Buffer.concat(pieces) : null
    }
    try {
      const { packs } = await readManifest(blobs, version.manifest)
      const isOwn = packs.length === version.packs.length && packs.every(([key]) => version.packs.includes(key))
      // What no version names is removed one day.
      if (!isOwn) return wrong('packs', 'are not those of the manifest')
      for (const name of documentNames) {
        const bytes = await readDocument(blobs, version, name)
        drained(compared(Buffer.from('{\n}'), bytes, { offset: 0, limit: 0 }))
      }
      return null
    } catch (error) {
      return wrong('manifest', (error as Error).message)
    }
  }

  #saidOf(kind: string, id: number, fault: Fault): Said {
    return saidIn(this.#lines.get(`${kind} ${id}`)!, this.#catalogue.of(kind).label, fault)
  }
}

const saidIn = (line: number, label: string, { text }: Pick<Fault, 'path' | 'text'>): Said =>
  `holds in line ${line} a ${label} that no store has: ${quoted(text)}`

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
