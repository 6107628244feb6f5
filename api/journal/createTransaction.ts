import { invalid } from '../config/errors.js'
import { drained } from '../flow/slices.js'
import type { Row } from '../schema/defineKind.js'
import { Collected } from './collected.js'
import { plainData } from './plainData.js'
import { Removing } from './removing.js'
import type { Saved } from './saving.js'
import { Saving } from './saving.js'
import type { Place, Setting } from './setting.js'
import { tenantsTouched } from './tenancy.js'
import type { DecidedTransaction } from './transaction.js'

type Given = Omit<Setting, 'data'> & Pick<DecidedTransaction, 'revision'>

/** Begins a transaction, whose time is the one an entry has that is made now. */
export type Begin = (on: Omit<Given, 'catalogue' | 'time'>) => DecidedTransaction

/**
 * Records are created and updated by `Saving` and removed by `Removing`. Both put them in place here, where what a change
 * brings about follows it, and `Collected` has what it all comes to.
 */
export function createTransaction(given: Given): DecidedTransaction {
  const { workingSet, trial, catalogue, user, time, revision } = given
  const data = plainData(workingSet, catalogue)
  const collected = new Collected()
  let hasEffects = true
  const place: Place = (resource, id, before, after) => {
    trial.change(resource.kind, id, after)
    collected.note(resource, id, { before, after }, data)
    resource.revokes?.(transaction, { before, after })
    if (hasEffects) resource.afterChange?.(transaction, { before, after })
  }
  const setting: Setting = { workingSet, trial, catalogue, user, time, data }
  const saving = new Saving(setting, place)
  const removing = new Removing(setting, place)
  const transaction: DecidedTransaction = {
    data,
    user,
    time,
    revision,
    // A row of the kind that was asked for: its fields were checked.
    create: (kind, values, id) => taken(saving.create(kind, values as Record<string, unknown>, id)) as never,
    // As above.
    update: (kind, id, values) => taken(saving.update(kind, id, values as Record<string, unknown>)) as never,
    tryCreate: (kind, values, id) => saving.create(kind, values, id),
    tryUpdate: (kind, id, values) => saving.update(kind, id, values),
    judge: (kind, id, values, wrong) => saving.judge(kind, id, values, wrong),
    remove: (kind, id) => drained(removing.remove(kind, id)),
    removeInSteps: (kind, id) => removing.remove(kind, id),
    lastId: (kind) => workingSet.lastId(kind),
    reserve: (kind, id) => trial.reserve(kind, id),
    withoutEffects: (run) => {
      hasEffects = false
      try {
        return run()
      } finally {
        hasEffects = true
      }
    },
    completeRecord: (kind, id) =>
      catalogue.of(kind).afterChange?.(transaction, { before: null, after: workingSet.get(kind, id) as Row }),
    log: (message, level = 'APICHANGE', ticketNum = null) => void collected.lines.push({ level, message, ticketNum }),
    mention: (kind, id) => collected.mention(kind, workingSet.get(kind, id)),
    get changes() {
      return collected.changes
    },
    changesInSteps: () => collected.changesInSteps(),
    get advice() {
      return collected.advice
    },
    lines: collected.lines,
    tenantsInSteps: () => tenantsTouched(collected.named(), data, catalogue),
  }
  return transaction
}

function taken({ row, faults }: Saved): Row {
  if (!row) throw invalid(faults)
  return row
}
