/** Work whose failure nobody waits for, with what is said of it. The names are those of the metric. */
export const unawaited = {
  answer: 'the fast path failed; the request was answered another way',
  checks: 'what bodies are checked with could not be made ahead of them',
  dnssec: 'DNSSEC keys could not be made',
  expiry: 'rules that ran out could not be marked',
  follow: 'the journal cannot be followed any more: restart this instance',
  leftovers: 'what nothing refers to any more could not be removed',
  mail: 'a mail could not be sent',
  records: 'records could not be brought up to the journal; that is tried again',
  renewal: 'the store answered nothing for a while; everything is connected anew',
  samples: 'monitors could not be asked for what is kept of them',
  sweep: 'what is stale could not be let go of',
  trim: 'the journal could not be trimmed',
  unhandled: 'something failed that nobody waited for',
} as const

export type Unawaited = keyof typeof unawaited

/** Is told when such work failed. A service logs and counts it; see `operations/failures.ts`. */
export type Failed = (work: Unawaited, error: unknown, more?: object) => void

/** For programs without a log: a line on standard error. */
export const warnOfFailure: Failed = (work, error) => {
  process.emitWarning(`${unawaited[work]}: ${error instanceof Error ? error.message : String(error)}`)
}
