import { byCodePoint } from '../cdn/order.js'
import { profileValues } from '../cdn/parameters.js'
import { cleaned } from '../cdn/text.js'
import type { CompileContext } from '../core/defineFile.js'
import { FileMissing, profileFile } from '../core/defineFile.js'
import { one } from '../core/reader.js'
import type { DeliveryService } from '../data/model.js'

/**
 * The keys and settings of url_sig.so for one delivery service (config-files.md §6.9). Settings come before keys,
 * and stored keys replace parameters that look like keys. The plugin refuses a file without `error_url`.
 */
export default profileFile({
  name: /^url_sig_(?<xmlId>.+)\.config$/,
  template: 'url_sig_X.config',
  keysOf: 'xmlId',
  view: (context) => {
    const service = signedService(context)
    const sealed = context.data.get('urlSigKeys', service.id)?.sealed
    const parameters = profileValues(context)
    if (sealed === undefined) {
      if (parameters.length === 0) throw new FileMissing(`${service.xmlId} has no URL signature keys`)
      const record = { kind: 'deliveryServices', id: service.id, name: service.xmlId }
      context.warn('key-missing', record, 'there are no stored keys; the file holds what the parameters say')
      return { lines: withErrorUrl(parameters) }
    }
    const settings = parameters.filter(({ name }) => !isKey(name))
    return { lines: [...withErrorUrl(settings), ...storedKeys(context, service, sealed)] }
  },
})

/** The delivery service a key file is named after, if it is in the profile's CDN. */
export function signedService({ data, subject, file, parts }: CompileContext<'profiles'>): DeliveryService {
  const service = one(data, 'deliveryServices', 'xmlId', parts.xmlId!)
  if (!service || (subject.cdn !== null && subject.cdn !== service.cdnId)) {
    throw new FileMissing(`${file} names no delivery service of this profile's CDN`)
  }
  return service
}

interface Line {
  readonly name: string
  readonly value: string
}

const isKey = (name: string) => /^key\d+$/.test(name)

function withErrorUrl(settings: readonly Line[]): readonly Line[] {
  if (settings.some(({ name }) => name === 'error_url')) return settings
  return [...settings, { name: 'error_url', value: '403' }].sort((a, b) => byCodePoint(a.name, b.name))
}

function storedKeys(context: CompileContext, { id, xmlId }: DeliveryService, sealed: string): readonly Line[] {
  const keys = JSON.parse(context.unseal(sealed)) as Record<string, string>
  const record = { kind: 'urlSigKeys', id, name: xmlId }
  return Object.entries(keys)
    .filter(([name]) => isKey(name))
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, value]) => ({ name, value: cleaned(context, record, name, value) }))
}
