import { defineKind } from '../defineKind.js'
import { moment, text } from '../fields.js'

export const fields = {
  session: text({
    unique: true,
    hidden: true,
    readOnly: true,
    description: 'The id of a session that was logged out; its cookies are good for nothing any more.',
  }),
  until: moment({
    readOnly: true,
    description: 'When the last of its cookies has run out anyway, and the record may go.',
  }),
}

export default defineKind({
  kind: 'endedSessions',
  description: 'A session that was logged out.',
  label: 'ended session',
  key: null,
  fields,
  transient: true,
})
