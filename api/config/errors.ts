import { textBeginning } from './textBeginning.js'

export interface Alert {
  readonly level: 'success' | 'info' | 'warning' | 'error'
  readonly text: string
}

/** Something wrong with one field of what a client sent. `path` is empty for the record as a whole. */
export interface Fault {
  readonly path: string
  readonly text: string
  /** 409 for duplicates and records still in use; everything else a client can mend is 400. */
  readonly status?: 400 | 403 | 404 | 409
}

/** A setting that cannot be used; the text names the variable. */
export class BadSetting extends Error {
  override name = 'BadSetting'
}

/** An answer other than success: a status and one alert per fault. The only error that becomes an answer as it is. */
export class ApiError extends Error {
  override name = 'ApiError'

  constructor(
    readonly status: number,
    readonly code: string,
    readonly texts: readonly string[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(texts.join('; '))
  }
}

const one = (status: number, code: string) => (text: string) => new ApiError(status, code, [text])

/** 400: what was sent is malformed or invalid. */
export const badRequest = one(400, 'bad-request')
/** 401: no session, an expired one, or wrong credentials. */
export const unauthorized = (text = 'Unauthorized, please log in.') => one(401, 'unauthorized')(text)
/** 403: the caller's role or tenant does not reach. */
export const forbidden = (text = 'Forbidden.') => one(403, 'forbidden')(text)
/** 404: a path or a record that is not there. */
export const notFound = (text = 'Resource not found.') => one(404, 'not-found')(text)
export const noSuch = (label: string, id: string | number) => notFound(`There is no ${label} '${quoted(id)}'.`)
/** 409: a duplicate, or a record others still refer to. */
export const conflict = one(409, 'conflict')
/** 410: what was asked for was there, and was removed for good. */
export const gone = one(410, 'gone')
/** 412: `If-Match` named another state of the record. */
export const preconditionFailed = () =>
  one(412, 'precondition-failed')('The record was changed since you read it; read it again and repeat the change.')
/** 412: what somebody agreed to is not what it would be any more. */
export const planChanged = () =>
  one(412, 'plan-changed')('The records were changed since the plan was made. Nothing was changed; look at a new plan.')
export const tooLarge = (limit: number) => one(413, 'too-large')(`The request body is larger than ${limit} bytes.`)
export const unsupportedMedia = (encoding: string) =>
  one(415, 'unsupported-media')(`The content encoding '${quoted(encoding)}' is not supported; send the body as it is.`)
export const tooMany = (seconds: number) =>
  new ApiError(429, 'too-many', ['Too many failed attempts. Try again later.'], { 'retry-after': String(seconds) })
/** 429: more passwords at once than are checked at once; nothing was counted against anybody. */
export const busy = () =>
  new ApiError(429, 'busy', ['Too many passwords are being checked at the moment. Try again.'], { 'retry-after': '1' })
export const notImplemented = (what: string) => one(501, 'not-implemented')(`${what} is not implemented.`)
/** 503: the store cannot take the write; nothing was changed. */
export const unavailable = (cause: Error) => {
  const texts = ['The store cannot be written at the moment. Nothing was changed.']
  return Object.assign(new ApiError(503, 'store-unavailable', texts, { 'retry-after': '5' }), { cause })
}
/** 503: the store does not answer what only it knows, or could not take what a write needs before it is decided. */
export const storeAway = () =>
  new ApiError(503, 'store-away', ['The store does not answer at the moment. Try again in a few seconds.'], {
    'retry-after': '5',
  })
/** 503: the store was given the entry and did not say in time whether it is in the journal. */
export const outcomeUnknown = ({ id, revision }: { id: string; revision: number }) =>
  new ApiError(
    503,
    'outcome-unknown',
    [
      'The store did not answer in time, and it is unknown whether this was carried out. ' +
        `It was if entry ${revision} of GET /api/1.3/changes?since=${revision - 1} has the id ${id}; ` +
        'it was not, and will not be, if that entry has another id.',
    ],
    { 'retry-after': '5', 'x-edgewright-entry': id },
  )

/** 503: another store takes the place of the one that was asked. */
export const restoring = () =>
  new ApiError(503, 'restoring', ['A backup is being restored. Nothing was changed; try again in a few seconds.'], {
    'retry-after': '2',
  })
/** 503: a restore of which nobody knows whether it took place. */
export const restoreUnknown = () =>
  new ApiError(
    503,
    'restore-unknown',
    ['The store did not answer in time, and it is unknown whether the backup took its place: look at what it holds.'],
    { 'retry-after': '5' },
  )
/** 507: what was sent does not fit on the disk. */
export const noRoom = () =>
  one(507, 'no-room')('There is not enough room in DATA_DIR, or in the store, to restore this. Nothing was changed.')

/** 503: what was to be written in one piece was overtaken by other instances again and again; nothing was changed. */
export const overtaken = () =>
  new ApiError(503, 'overtaken', ['Other instances wrote all the while. Nothing was changed; try again.'], {
    'retry-after': '5',
  })

/** 503: as many as are served at once wait for work that takes much memory; nothing was begun. */
export const crowded = () =>
  new ApiError(503, 'crowded', ['Too many wait for exports, imports and dry runs at the moment. Try again.'], {
    'retry-after': '5',
  })
/** 503: as many bodies arrive and wait as there is room for; nothing was done. */
export const bodiesCrowded = () =>
  new ApiError(503, 'bodies-crowded', ['Too much waits to be written at the moment. Nothing was changed; try again.'], {
    'retry-after': '5',
  })
/** What was not finished because its client hung up; nobody reads this. */
export const clientGone = () => one(400, 'client-gone')('The client is gone.')

/** All faults of one request in one answer; the gravest status wins, a conflict only when nothing else is wrong. */
export function invalid(faults: readonly Fault[]): ApiError {
  const status = [400, 404, 403, 409].find((code) => faults.some((fault) => (fault.status ?? 400) === code)) ?? 400
  return new ApiError(
    status,
    status === 409 ? 'conflict' : 'invalid',
    faults.map(({ text }) => text),
  )
}

/** A client's text inside a message: short, on one line. What is no text is named, however deep it goes. */
export function quoted(value: unknown): string {
  const text = Array.isArray(value) ? '[…]' : typeof value === 'object' && value !== null ? '{…}' : String(value)
  const printable = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  return printable.length > 100 ? `${textBeginning(printable, 100)}…` : printable
}
