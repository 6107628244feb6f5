/** What a compile noticed without failing. `record` names the one to look at, as kind, id and readable name. */
export interface Warning {
  readonly code: WarningCode
  readonly record: { readonly kind: string; readonly id: number; readonly name: string }
  readonly text: string
}

/** Every code, with what it means to an operator. */
export const warningCodes = {
  'service-without-origin': 'A delivery service has no origin; it was left out of the file.',
  'service-without-regex': 'A delivery service has no host regex; it was left out of the file.',
  'dangling-reference': 'A record refers to another one that does not exist.',
  'text-cleaned': 'A value held a line break or control character that the file cannot carry; it was removed.',
  'value-ignored': 'A value is not valid in this file; the default was used or the line left out.',
  'duplicate-origin': 'Two delivery services share one origin with different settings; the first one wins.',
  'duplicate-map': 'Two delivery services ask for the same host; the first one wins.',
  'no-parents': 'A server has parent cache groups but no usable parent in them.',
  'drop-qstring-port': 'qstringIgnore 2 loses an explicit origin port in the default drop_qstring rule.',
  'key-missing': 'A signed delivery service has no stored keys.',
  'secret-published': 'Routers, monitors and all who may read their documents see the value of a secure parameter.',
  'unsupported-by-version': 'The cache server version of the profile does not support this setting.',
} as const

export type WarningCode = keyof typeof warningCodes
