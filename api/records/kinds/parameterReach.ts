import type { Fault } from '../../config/errors.js'
import type { Caller } from '../../schema/privileges.js'
import { system } from '../../schema/privileges.js'

interface Parameter {
  readonly name: string
  readonly configFile: string
}

/**
 * Parameters that rule the whole installation: its settings, and where routers log in and fetch keys. Operators of
 * other tenants write all others, as the interface has it; by these they could take the installation.
 */
const isOfInstallation = ({ name, configFile }: Parameter): boolean =>
  configFile === 'global' || (configFile === 'CRConfig.json' && whereRoutersLogIn.has(name))

const whereRoutersLogIn = new Set([
  'api.auth.url',
  'certificate.api.url',
  'keystore.api.url',
  'federationmapping.polling.url',
  'steeringmapping.polling.url',
  'tm_host',
  'to_host',
])

export function* ofInstallation(parameters: readonly (Parameter | null)[], user: Caller): Iterable<Fault> {
  if (user === system || user.ofRoot) return
  const ruling = parameters.find((parameter) => parameter !== null && isOfInstallation(parameter))
  if (!ruling) return
  const text = `Forbidden. The parameter ${ruling.name} of ${ruling.configFile} is for users of the root tenant.`
  yield { path: 'name', text, status: 403 }
}
