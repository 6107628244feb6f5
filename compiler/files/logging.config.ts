import type { Log } from '../cdn/logging.js'
import { logging, rollingFields } from '../cdn/logging.js'
import { profileFile } from '../core/defineFile.js'

/** The custom logs as the Lua program of version 7. */
export default profileFile({
  name: 'logging.config',
  view: (context) => {
    const { formats, filters, logs } = logging(context)
    return {
      formats: formats.map(({ name, format }) => ({ name, format: luaText(`${format} `) })),
      filters: filters.map(({ name, action, condition }) => ({ name, action, condition: luaText(condition) })),
      logs: logs.map(logView),
    }
  },
})

function logView({ filename, mode, format, rolling, header, filters }: Log) {
  const fields = [
    { name: 'Format', value: format },
    { name: 'Filename', value: luaText(filename) },
    ...rollingFields.map((name) => ({ name, value: rolling[name] })),
    { name: 'Header', value: header === null ? null : luaText(header) },
    { name: 'Filters', value: filters.length === 0 ? null : `{ ${filters.join(', ')} }` },
  ].filter(({ value }) => value !== null)
  return { mode, fields: fields.map((field, i) => ({ ...field, comma: i < fields.length - 1 })) }
}

function luaText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
