import type { Warning } from '../core/warnings.js'

/** Why a document must not be frozen. `record` names the one to look at, as a warning does. */
export interface Fault {
  readonly code: FaultCode
  readonly record: Warning['record']
  readonly text: string
}

/** Every code, with what would happen if the document were used. */
export const faultCodes = {
  'dangling-reference': 'A record refers to one that does not exist; the document would name nothing.',
  'foreign-service': 'A server has a delivery service of another CDN, which this document does not have.',
  'duplicate-host-name': 'Two servers of the CDN have one host name; the document could hold only one of them.',
  'duplicate-host': 'Two delivery services answer for one host; monitors refuse the document.',
  'service-without-match-set': 'A delivery service has nothing to match; monitors would not start.',
  'unparsable-regex': 'A regex that is none; monitors and routers could not compile it.',
  'unparsable-threshold': 'A health setting the monitor cannot parse; it would refuse the whole document.',
  'missing-interval': 'A polling interval is missing or no number; the monitor would poll nothing.',
  'missing-setting': 'A parameter is missing that routers refuse to start without.',
  'conflicting-parameters': 'Two profiles of the CDN disagree on a value of which there can be only one.',
  'no-edge': 'No edge cache is in use; there would be nowhere to send a client.',
  'no-router': 'No router is in use; nobody would read the document.',
  'no-monitor': 'No monitor is in use; routers would never learn of the document.',
} as const

export type FaultCode = keyof typeof faultCodes
