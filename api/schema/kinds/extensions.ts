import { defineKind } from '../defineKind.js'
import { flag, optional, ref, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  version: text({ max: 64 }),
  info_url: text({ max: 2048 }),
  script_file: text(),
  isactive: flag({ default: false }),
  additional_config_json: optional(text({ max: 65_536, lines: true })),
  description: optional(text({ max: 4096, lines: true })),
  servercheck_short_name: optional(
    text({ max: 32, unique: true, description: 'How results name the check; for checks only.' }),
  ),
  typeId: ref('types', { aliases: ['type'], nameAliases: ['typeName'] }),
}

export default defineKind({
  kind: 'extensions',
  description: 'A check, statistic or configuration that others add to the service.',
  label: 'extension',
  key: 'name',
  fields,
})
