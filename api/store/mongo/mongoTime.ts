import type { Db } from 'mongodb'
import { StoreUnavailable } from '../store.js'

/** Who is asked for the time. */
export type Clock = Pick<Db, 'command'>

/**
 * The store's own time, by which the age of what lies in it is told. The clocks of instances are no measure: one that is
 * a day ahead would take what another is writing at this moment for what was left behind long ago.
 */
export async function storeTime(database: Clock): Promise<Date> {
  const { localTime } = await database.command({ hello: 1 })
  if (localTime instanceof Date) return localTime
  throw new StoreUnavailable('MongoDB does not tell its time')
}
