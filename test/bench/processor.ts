import { readdirSync, readFileSync } from 'node:fs'

/**
 * Processor milliseconds that a process has used so far, which other processes disturb less than the time that
 * passed. Linux only.
 *
 * @param which all of its threads, or all but the main one
 */
export function processorMilliseconds(pid: number, which: 'all' | 'but main' = 'all'): number {
  const threads = readdirSync(`/proc/${pid}/task`).filter((thread) => which === 'all' || Number(thread) !== pid)
  return threads.reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(nanoseconds) / 1e6
  }, 0)
}
