/** The headers of one answer in one form; made once, sent many times. */
export interface WireHeaders {
  readonly byName: Readonly<Record<string, string | number>>
  /** As `writeHead` takes them at least cost: name, value, name, value, … */
  readonly listed: readonly string[]
}

/** A cached response's headers in one form; those that name the revision are good for that revision only. */
export interface Wire {
  readonly revision: number
  readonly unchanged: WireHeaders
  whole: WireHeaders | null
}
