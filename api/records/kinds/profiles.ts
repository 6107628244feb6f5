import { invalid } from '../../config/errors.js'
import type { Plan } from '../../journal/plan.js'
import type { Asked } from '../../operations/endpoint.js'
import { create, list, read, remove, trimmed, update } from '../../routes/crud/routes.js'
import { copied, exported, imported } from '../../routes/parameters/profileCopies.js'
import type { Data } from '../../schema/data.js'
import { flag, oneOf, optional, type RecordOf, ref, text, word } from '../../schema/fields.js'
import { defineResource, type Row } from '../defineKind.js'
import type { Values } from '../recordBody.js'

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
] as const

export const fields = {
  name: word({ unique: true, pattern: '^[^\\s/\\\\]+$' }),
  description: text({ max: 1024 }),
  type: oneOf(types),
  cdn: optional(ref('cdns', { as: ['cdnName'] })),
  /** Routers leave out the delivery services of servers with this profile. */
  routingDisabled: flag({ fallback: false }),
}

type Profile = RecordOf<typeof fields>

export default defineResource({
  kind: 'profiles',
  label: 'profile',
  key: 'name',
  fields,
  rules,
  *keeps({ name }) {
    if (name === 'GLOBAL') yield { path: '', text: 'The profile GLOBAL cannot be deleted.', status: 409 as const }
  },
  legacy: { numbers: ['cdn'] },
  routes: [
    list('/profiles', { role: 'any', filters: { param: withParameter, cdn: 'cdn', type: 'type' } }),
    trimmed('/profiles/trimmed', { role: 'any' }),
    read('/profiles/:id', { role: 'any' }),
    create('/profiles', { role: 'oper', array: true, allow: ownDescription }),
    copied,
    update('/profiles/:id', {
      role: 'oper',
      // interface.md: false when absent, unlike every other field.
      prepare: (values) => ({ routingDisabled: false, ...values }),
      allow: ownDescription,
      text: ({ id }) => `Profile was updated: ${id}`,
    }),
    remove('/profiles/:id', { role: 'oper', text: () => 'Profile was deleted.' }),
    exported,
    imported,
  ],
})

function* rules({ before, after, data }: { before: Profile | null; after: Profile; data: Data }) {
  if (before?.name === 'GLOBAL' && after.name !== 'GLOBAL') {
    yield { path: 'name', text: 'name: the profile GLOBAL cannot be renamed' }
  }
  if (!before || before.cdn === after.cdn) return
  const stray = data.by('servers', 'profileId', after.id).find(({ cdnId }) => cdnId !== after.cdn)
  if (stray) yield { path: 'cdn', text: `cdn must be the CDN of the profile's servers, for instance ${stray.hostName}` }
}

function withParameter(rows: readonly Row[], id: string, data: Data): readonly Row[] {
  const has = new Set(data.get('parameters', Number(id))?.profiles ?? [])
  return rows.filter((row) => has.has(row.id))
}

/** Only what is written by hand must differ: copies and imports carry the description of their source. */
function ownDescription(_asked: Asked, { data }: Plan, before: Row | null, values: Values): void {
  if (values.description === undefined || values.description === before?.description) return
  const same = data.all('profiles').find(({ description }) => description === values.description)
  if (!same) return
  const text = 'a profile with the exact same description already exists.'
  throw invalid([{ path: 'description', text, status: 409 }])
}
