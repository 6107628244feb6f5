import type { Logger } from 'pino'
import { CompileFailed, summaryOf } from '../../compiler/core/compile.js'
import { FileMissing } from '../../compiler/core/defineFile.js'
import { ApiError, storeAway } from '../config/errors.js'
import { jsonType } from '../flow/jsonText.js'
import { StoreUnavailable } from '../store/store.js'
import type { HttpResponse } from './answerBody.js'
import { standingHeaders } from './standingHeaders.js'

/** Words any error as an answer: the single place where errors become alerts. Nothing is inferred from a message. */
export function alertsFor(error: unknown, log: Logger, requestId: string): HttpResponse {
  if (error instanceof ApiError) return errorReply(error.status, error.texts, error.headers)
  if (error instanceof FileMissing) return errorReply(404, [error.message])
  // What is known is answered without the store; this is for who must ask it.
  if (error instanceof StoreUnavailable) {
    log.warn({ err: error, requestId }, 'the store does not answer')
    return alertsFor(storeAway(), log, requestId)
  }
  // The answer names the file; the reason, which may quote templates and records, is for the log.
  if (error instanceof CompileFailed) {
    log.error({ err: error, requestId }, 'a file could not be compiled')
    return errorReply(500, [summaryOf(error.fault)])
  }
  log.error({ err: error, requestId }, 'unexpected error')
  return errorReply(500, ['Internal Server Error'])
}

function errorReply(
  status: number,
  texts: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { ...standingHeaders, ...headers, 'content-type': jsonType },
    body: JSON.stringify({ alerts: texts.map((text) => ({ level: 'error', text })) }),
  }
}
