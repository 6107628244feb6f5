import { same } from '../../compiler/data/kindTable.js'
import type { Fault } from '../config/errors.js'
import { noSuch } from '../config/errors.js'
import type { Kind } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import { seesSecrets } from '../schema/privileges.js'
import { duplicates, missing } from './checks.js'
import { complete } from './complete.js'
import { foundationFaults } from './foundations.js'
import { asFarAsKnown, knownOnly } from './partlyKnown.js'
import type { RecordKind } from './recordKind.js'
import type { Place, Setting } from './setting.js'
import { outsideFaults } from './tenancy.js'

/** The record as it was written; or why it was not, and nothing changed. */
export interface Saved {
  readonly row: Row | null
  readonly faults: Fault[]
}

/** How a transaction creates and updates records: nothing gets past its checks. */
export class Saving {
  readonly #setting: Setting
  readonly #place: Place

  constructor(setting: Setting, place: Place) {
    this.#setting = setting
    this.#place = place
  }

  create(kind: string, values: Record<string, unknown>, id?: number): Saved {
    const { workingSet, trial, catalogue, time } = this.#setting
    const resource = catalogue.of(kind)
    const row = { id: id ?? trial.takeId(kind), ...complete(resource.fields, values), lastUpdated: time } as Row
    if (workingSet.get(kind, row.id)) {
      return {
        row: null,
        faults: [{ path: 'id', text: `a ${resource.label} with id ${row.id} already exists.`, status: 409 }],
      }
    }
    return this.#save(resource, null, row)
  }

  update(kind: string, id: number, values: Record<string, unknown>): Saved {
    const { workingSet, catalogue, user, time } = this.#setting
    const resource = catalogue.of(kind)
    const before = workingSet.get(kind, id) as Row | undefined
    if (!before) throw noSuch(resource.label, id)
    // Who may not see a secret must not learn by writing one whether it was the same.
    const isBlind = (name: string) => resource.fields[name]?.notes.secret === true && !seesSecrets(user)
    const isKept = ([name, value]: [string, unknown]) => same(before[name], value) && (value === null || !isBlind(name))
    if (Object.entries(values).every(isKept)) return { row: before, faults: [] }
    return this.#save(resource, before, { ...before, ...values, id, lastUpdated: time } as Row)
  }

  #save(resource: RecordKind, before: Row | null, after: Row): Saved {
    const faults = this.#check(resource, before, after)
    if (faults.length > 0) return { row: null, faults }
    this.#place(resource, after.id, before, after)
    return { row: this.#setting.data.get(resource.kind as Kind, after.id) as Row, faults }
  }

  /** What else is wrong with a record of which some fields are: as far as can be said without these. Nothing is written. */
  judge(kind: string, id: number | null, values: Record<string, unknown>, wrong: ReadonlySet<string>): Fault[] {
    const { workingSet, catalogue, time } = this.#setting
    const resource = catalogue.of(kind)
    const before = id === null ? null : (workingSet.get(kind, id) as Row)
    const known = before ? { ...before, ...values } : complete(resource.fields, values)
    for (const name of wrong) delete known[name]
    const row = { ...known, id: id ?? workingSet.lastId(kind) + 1, lastUpdated: time }
    const after = knownOnly(row, wrong)
    return this.#checks(resource, before, { row, after }).flatMap((check) => [...asFarAsKnown(check)])
  }

  #check(resource: RecordKind, before: Row | null, after: Row): Fault[] {
    return this.#checks(resource, before, { row: after, after }).flatMap((check) => [...check()])
  }

  /** @param changed.row the same as `after`, where fields that are not known are merely not there */
  #checks(
    resource: RecordKind,
    before: Row | null,
    { row, after }: { row: Row; after: Row },
  ): readonly (() => Iterable<Fault>)[] {
    const { workingSet, catalogue, data, user } = this.#setting
    return [
      () => missing(resource, row, before, workingSet),
      () => duplicates(resource, row, workingSet),
      () => outsideFaults(resource, { before, after }, { data, catalogue, user }),
      () => foundationFaults(resource, { before, after }, { data, catalogue, user }),
      ...[resource.rules ?? []].flat().map((rule) => () => rule({ before, after, data, user })),
    ]
  }
}
