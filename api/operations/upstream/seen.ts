import type { Upstream } from './fetchJson.js'
import type { Known, Poll } from './poll.js'

/** What upstreams said, and what whoever reads it must know about it. */
export interface Seen<T> {
  /** Null when nobody could be asked. */
  readonly value: T
  /** Milliseconds since the upstream said it; 0 when there is no value. */
  readonly age: number
  readonly warnings: readonly string[]
}

/**
 * The document of the first monitor that answers; each further one is asked only when the one before failed. When
 * all fail: the newest answer any of them gave before, with a warning that tells its age.
 */
export async function firstGood<T>(
  { name, monitors }: { name: string; monitors: readonly Upstream[] },
  poll: Poll<T>,
  now: () => number,
): Promise<Seen<T | null>> {
  if (monitors.length === 0) return nothing([`CDN ${name} has no traffic monitor that is ONLINE; nothing is known.`])
  const warnings: string[] = []
  let newest: Known<T>['good'] = null
  for (const monitor of monitors) {
    const { good, fault } = await poll.read(monitor)
    if (good !== null && fault === null) return { value: good.value, age: ageOf(good, now), warnings }
    warnings.push(`Traffic monitor ${monitor.name} of CDN ${name} ${fault}.`)
    if (good !== null && (newest === null || good.at > newest.at)) newest = good
  }
  if (newest === null) return nothing([...warnings, `Nothing is known of CDN ${name}.`])
  const age = ageOf(newest, now)
  const told = `What is told of CDN ${name} was said ${seconds(age)} s ago.`
  return { value: newest.value, age, warnings: [...warnings, told] }
}

/** The documents of all routers that answer now or did before, all asked at once; the age is that of the oldest. */
export async function allGood<T>(
  { name, routers }: { name: string; routers: readonly Upstream[] },
  poll: Poll<T>,
  now: () => number,
): Promise<Seen<readonly T[]>> {
  if (routers.length === 0)
    return { value: [], age: 0, warnings: [`CDN ${name} has no traffic router that is ONLINE; nothing is known.`] }
  const answers = await Promise.all(routers.map(async (router) => ({ router, ...(await poll.read(router)) })))
  const good = answers.flatMap((answer) => (answer.good === null ? [] : [answer.good]))
  const warnings = answers.flatMap(({ router, good, fault }) => {
    if (fault === null) return []
    const instead = good === null ? 'it is not counted' : `what it said ${seconds(ageOf(good, now))} s ago is counted`
    return [`Traffic router ${router.name} of CDN ${name} ${fault}; ${instead}.`]
  })
  return {
    value: good.map(({ value }) => value),
    age: Math.max(0, ...good.map((answer) => ageOf(answer, now))),
    warnings,
  }
}

const nothing = (warnings: readonly string[]) => ({ value: null, age: 0, warnings })

const ageOf = ({ at }: { at: number }, now: () => number) => Math.max(0, now() - at)

const seconds = (milliseconds: number) => Math.round(milliseconds / 1000)
