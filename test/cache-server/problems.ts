/** A line in which the cache server says that something is wrong. */
export interface Problem {
  readonly severity: Severity
  readonly text: string
}

/** What is said on every start in a throw-away folder, or by a certain configuration, and why it is all right. */
export interface Explained {
  readonly pattern: RegExp
  readonly because: string
}

const severities = ['WARNING', 'ERROR', 'FATAL', 'ALERT', 'EMERGENCY'] as const
export type Severity = (typeof severities)[number]

/** The problems in what it printed, without those that are explained. */
export function problemsIn(output: string, explained: readonly Explained[]): Problem[] {
  return output
    .split('\n')
    .flatMap(problemOf)
    .filter(({ text }) => !explained.some(({ pattern }) => pattern.test(text)))
}

/** Lines look like `[Nov 21 13:06:48.443] traffic_server WARNING: text`, or `ERROR: text` before the log is open. */
const line = new RegExp(`^(?:\\[[^\\]]*\\] .*?)?(${severities.join('|')}): (.*)$`)

function problemOf(printed: string): Problem[] {
  const found = line.exec(printed)
  return found?.[1] && found[2] !== undefined ? [{ severity: found[1] as Severity, text: found[2] }] : []
}
