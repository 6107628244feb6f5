import { Type } from '@sinclair/typebox'
import { extensionRoutes } from '../../routes/servers/extensionRoutes.js'
import { flag, optional, ref, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'
import { typeOf } from '../rules.js'

export const fields = {
  name: text({ unique: true }),
  version: text({ max: 64 }),
  info_url: text({ max: 2048 }),
  script_file: text(),
  isactive: flag({ fallback: false }),
  additional_config_json: optional(text({ max: 65_536, lines: true })),
  description: optional(text({ max: 4096, lines: true })),
  /** How results name the check; for checks only. */
  servercheck_short_name: optional(text({ max: 32, unique: true })),
  typeId: ref('types', { also: ['type'], as: ['typeName'] }),
}

/** Checks and other programs that extend the service. Checks sit in fixed slots; open ones have a type that says so. */
export default defineResource({
  kind: 'extensions',
  label: 'extension',
  key: 'name',
  fields,
  rules: ({ after, data }) => typeOf('to_extension', after, data, 'type'),
  shown: { type: Type.String(), typeId: null, typeName: null },
  present: {
    '1.1': (row) => ({ ...shape(row), id: String(row.id), isactive: row.isactive ? '1' : '0' }),
    '1.3': shape,
  },
  routes: extensionRoutes,
})

function shape<R extends { typeId: unknown; typeName?: unknown }>({ typeId: _, typeName, ...row }: R) {
  return { ...row, type: typeName }
}
