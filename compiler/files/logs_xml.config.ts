import type { Log } from '../cdn/logging.js'
import { logging, rollingFields } from '../cdn/logging.js'
import { profileFile } from '../core/defineFile.js'

/** The custom logs as the XML-like file of version 6 and older, which knows neither modes nor filters here. */
export default profileFile({
  name: 'logs_xml.config',
  view: (context) => {
    const { formats, logs } = logging(context)
    return {
      formats: formats.map(({ name, format }) => ({ name: quoted(name), format: quoted(format) })),
      logs: logs.map((log) => ({ fields: fieldsOf(log) })),
    }
  },
})

function fieldsOf({ filename, format, rolling, header }: Log) {
  return [
    { name: 'Format', value: quoted(format) },
    { name: 'Filename', value: quoted(filename) },
    ...rollingFields.map((name) => ({ name, value: rolling[name] })),
    { name: 'Header', value: header === null ? null : quoted(header) },
  ].filter(({ value }) => value !== null)
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '\\"')}"`
}
