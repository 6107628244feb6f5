import { defineKind } from '../defineKind.js'
import { flag, refs, text } from '../fields.js'

export const fields = {
  name: text({ max: 1024 }),
  /** The file the parameter ends up in, or the part of the service it is for. */
  configFile: text({ pattern: '^[^/\\\\]+$', also: ['config_file'] }),
  value: text({ min: 0, max: 65_536, secretWhen: 'secure' }),
  /** Only administrators see and change the value; the store holds it sealed. */
  secure: flag({ fallback: false }),
  /** The profiles that have the parameter; bodies change them through the link routes only. */
  profiles: refs('profiles', { as: ['profileNames'], managed: true }),
}

export default defineKind({
  kind: 'parameters',
  label: 'parameter',
  key: null,
  fields,
  unique: [['name', 'configFile', 'value']],
  indexes: { secure: ({ secure }) => (secure ? 'yes' : null) },
})
