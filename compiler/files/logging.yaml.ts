import type { Log } from '../cdn/logging.js'
import { logging, rollingFields } from '../cdn/logging.js'
import { cacheServerVersion } from '../cdn/parameters.js'
import { yamlQuoted } from '../cdn/text.js'
import { profileFile } from '../core/defineFile.js'

/** The custom logs for version 8, and from version 9 on with everything below one node. */
export default profileFile({
  name: 'logging.yaml',
  view: (context) => {
    const { formats, filters, logs } = logging(context)
    return {
      underOneNode: cacheServerVersion(context.data, context.subject.id) >= 9,
      formats: formats.map(({ name, format }) => ({ name, format: yamlQuoted(format) })),
      filters: filters.map((filter) => ({ ...filter, condition: yamlQuoted(filter.condition) })),
      logs: logs.map(logView),
    }
  },
})

function logView({ filename, mode, format, rolling, header, filters }: Log) {
  const settings = rollingFields.flatMap((field) => {
    const value = rolling[field]
    return value === null ? [] : [{ name: yamlNames[field], value }]
  })
  return {
    mode,
    filename,
    format,
    settings: header === null ? settings : [...settings, { name: 'header', value: yamlQuoted(header) }],
    filters: filters.length === 0 ? null : filters.join(', '),
  }
}

const yamlNames = {
  RollingEnabled: 'rolling_enabled',
  RollingIntervalSec: 'rolling_interval_sec',
  RollingOffsetHr: 'rolling_offset_hr',
  RollingSizeMb: 'rolling_size_mb',
} as const
