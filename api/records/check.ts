import { isIPv4 } from 'node:net'
import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import ajvFormats from 'ajv-formats'
import { isPlainIPv6 } from '../config/address.js'
import type { Fault } from '../config/errors.js'
import { parseMoment } from '../config/times.js'
import { printable } from '../schema/fields.js'

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  strictTypes: false,
  allowUnionTypes: true,
  // A fault is said in the words of its field.
  verbose: true,
  // It takes half the time to make a check, and half the memory; the check is as fast.
  code: { optimize: false },
})
ajv.addKeyword('notes')
ajv.addKeyword('form')
// Halves of a surrogate pair are no text: UTF-8, and so a store that keeps text in it, has another character in their
// place. The pattern of a field cannot say so in a way that every client's language reads.
const forms = {
  line: new RegExp(printable.line, 'u'),
  tabs: new RegExp(printable.tabs, 'u'),
  lines: new RegExp(printable.lines, 'u'),
}
ajv.addKeyword({
  keyword: 'printable',
  type: 'string',
  validate: (form: keyof typeof forms, text: string) => forms[form].test(text) && !/\p{Surrogate}/u.test(text),
})
ajv.addKeyword({
  keyword: 'hostLength',
  type: 'string',
  validate: (longest: number, url: string) => (/^\w+:\/\/([^:[]*)/.exec(url)?.[1] ?? '').length <= longest,
})
ajvFormats.default(ajv, ['ipv4', 'email'])
ajv.addFormat('ipv6-cidr', (text: string) => isNet(text, { ipv6: 128 }))
ajv.addFormat('ip-cidr', (text: string) => isNet(text, { ipv4: 32, ipv6: 128 }))
ajv.addFormat('regex', isRegularExpression)
ajv.addFormat('moment', (text: string) => parseMoment(text) !== null)

/** An address of one of these families, with or without so many bits of its net. */
function isNet(text: string, longest: { ipv4?: number; ipv6: number }): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = isIPv4(address) ? longest.ipv4 : isPlainIPv6(address) ? longest.ipv6 : undefined
  if (most === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

/** Compiles a schema once, when it is first asked. The check returns every fault of a value. */
export function checker(schema: TSchema): (value: unknown) => Fault[] {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema)
    return validate(value) ? [] : faults(validate.errors ?? [])
  }
}

function faults(errors: readonly ErrorObject[]): Fault[] {
  const byPath = new Map<string, Fault>()
  for (const error of errors) {
    const missing = error.keyword === 'required' ? `/${String(error.params.missingProperty)}` : ''
    const path = (error.instancePath + missing).slice(1).replaceAll('/', '.')
    // One alert per field: the first thing wrong with it, type before range.
    if (!byPath.has(path) || error.keyword === 'type')
      byPath.set(path, { path, text: `${path || 'The body'} ${said(error)}` })
  }
  return [...byPath.values()]
}

function said({ keyword, params, message, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type': {
      const types = [params.type].flat().filter((type) => type !== 'null')
      return `must be ${types.map((type) => (/^[aio]/.test(type) ? `an ${type}` : `a ${type}`)).join(' or ')}`
    }
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).filter((value) => value !== null).join(', ')}`
    case 'pattern':
    case 'printable':
    case 'hostLength':
      return `must be ${(parentSchema as { form: string }).form}`
    case 'format':
      return `must be ${formats[params.format as keyof typeof formats]}`
    case 'uniqueItems':
      return 'must not repeat a value'
    case 'maxItems':
      return `must have at most ${params.limit} elements`
    case 'minItems':
      return `must have at least ${params.limit} elements`
    default:
      return message ?? 'is not valid'
  }
}

/** The form that each format wants. */
export const formats = {
  ipv4: 'an IPv4 address, such as 192.0.2.1',
  'ipv6-cidr': 'an IPv6 address, such as 2001:db8::1 or 2001:db8::1/64',
  'ip-cidr': 'an IP address, or a net such as 192.0.2.0/24',
  moment: 'a time in the form of YYYY-MM-DD HH:MM:SS',
  email: 'an e-mail address',
  regex: 'a regular expression',
} as const
