import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/profiles.js'
import { defineBehaviour } from '../defineBehaviour.js'

export type Profile = RecordOf<typeof fields>

interface Change {
  readonly before: Profile | null
  readonly after: Profile
  readonly data: Data
}

export default defineBehaviour('profiles', {
  rules: [kept, ofServers],
  *deleteGuard({ name }) {
    if (name === 'GLOBAL') yield { path: '', text: 'The profile GLOBAL cannot be deleted.', status: 409 as const }
  },
})

function* kept({ before, after }: Change) {
  if (before?.name === 'GLOBAL' && after.name !== 'GLOBAL') {
    yield { path: 'name', text: 'name: the profile GLOBAL cannot be renamed' }
  }
}

function* ofServers({ before, after, data }: Change) {
  if (!before || before.cdn === after.cdn) return
  const stray = data.by('servers', 'profileId', after.id).find(({ cdnId }) => cdnId !== after.cdn)
  if (stray) yield { path: 'cdn', text: `cdn must be the CDN of the profile's servers, for instance ${stray.hostName}` }
}
