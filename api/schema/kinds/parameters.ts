import { defineKind } from '../defineKind.js'
import { flag, refs, text } from '../fields.js'

export const fields = {
  name: text({ max: 1024 }),
  configFile: text({
    pattern: '^[^/\\\\]+$',
    form: 'the name of a file, without slashes and backslashes',
    aliases: ['config_file'],
    description: 'The file the parameter ends up in, or the part of the service it is for.',
  }),
  value: text({ min: 0, max: 65_536, tabs: true, secretWhen: 'secure' }),
  secure: flag({
    default: false,
    description: 'Only administrators see and change the value; the store holds it sealed.',
  }),
  profiles: refs('profiles', {
    nameAliases: ['profileNames'],
    readOnly: true,
    description: 'The profiles that have the parameter; bodies change them through the link routes only.',
  }),
}

export default defineKind({
  kind: 'parameters',
  description: 'A line or value of a config file, or of a part of the service, that profiles have in common.',
  label: 'parameter',
  key: null,
  fields,
  unique: [['name', 'configFile', 'value']],
  indexes: { secure: ({ secure }) => (secure ? 'yes' : null) },
})
