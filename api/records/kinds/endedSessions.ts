import { moment, text } from '../../schema/fields.js'
import { rootTenant } from '../../schema/privileges.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  /** The id of a session that was logged out; its cookies are good for nothing any more. */
  session: text({ unique: true, hidden: true, managed: true }),
  /** When the last of its cookies has run out anyway, and the record may go. */
  until: moment({ managed: true }),
}

/** Sessions that their users ended, for every instance and over restarts; see endpoints/session.ts. No compile reads it. */
export default defineResource({
  kind: 'endedSessions',
  label: 'ended session',
  key: null,
  fields,
  // Who logs out is for those to see who look after the installation.
  about: (_ended, data) => [rootTenant(data)],
  transient: true,
  routes: [],
})
