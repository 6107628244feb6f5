import { FileMissing, profileFile } from '../core/defineFile.js'
import { signedService } from './url_sig.config.js'

/** The stored key document byte for byte: uri_signing.so reads JSON, which has no room for a header. */
export default profileFile({
  name: /^uri_signing_(?<xmlId>.+)\.config$/,
  template: 'uri_signing_X.config',
  keysOf: 'xmlId',
  view: (context) => {
    const service = signedService(context)
    const stored = context.data.get('uriSigningKeys', service.id)
    if (!stored) throw new FileMissing(`${service.xmlId} has no URI signing keys`)
    return { document: context.unseal(stored.sealed) }
  },
})
