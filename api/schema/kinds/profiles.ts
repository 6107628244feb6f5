import { defineKind } from '../defineKind.js'
import { flag, oneOf, optional, ref, text } from '../fields.js'

/** The field's enumeration (beyond.md §1.5). */
const types = [
  'ATS_PROFILE',
  'TR_PROFILE',
  'TM_PROFILE',
  'TS_PROFILE',
  'TP_PROFILE',
  'INFLUXDB_PROFILE',
  'RIAK_PROFILE',
  'SPLUNK_PROFILE',
  'DS_PROFILE',
  'ORG_PROFILE',
  'KAFKA_PROFILE',
  'LOGSTASH_PROFILE',
  'ES_PROFILE',
  'UNK_PROFILE',
  'GROVE_PROFILE',
] as const

export const fields = {
  name: text({ unique: true, pattern: '^[^\\s/\\\\]+$', form: 'one word, without spaces, slashes and backslashes' }),
  description: text({ max: 1024 }),
  type: oneOf(types),
  cdn: optional(ref('cdns', { nameAliases: ['cdnName'] })),
  routingDisabled: flag({
    default: false,
    description: 'Routers leave out the delivery services of servers with this profile.',
  }),
}

export default defineKind({
  kind: 'profiles',
  description: 'What servers or delivery services of a kind have in common: their parameters.',
  label: 'profile',
  key: 'name',
  fields,
})
