import { defineKind } from '../defineKind.js'
import { moment, text } from '../fields.js'

export const fields = {
  /** The id of a session that was logged out; its cookies are good for nothing any more. */
  session: text({ unique: true, hidden: true, managed: true }),
  /** When the last of its cookies has run out anyway, and the record may go. */
  until: moment({ managed: true }),
}

export default defineKind({
  kind: 'endedSessions',
  label: 'ended session',
  key: null,
  fields,
  transient: true,
})
