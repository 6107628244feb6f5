import { cleaned } from '../cdn/text.js'
import { profileFile } from '../core/defineFile.js'

export default profileFile({
  name: '12M_facts',
  view: (context) => {
    const { id, name } = context.subject
    return { profile: cleaned(context, { kind: 'profiles', id, name }, 'the name', name) }
  },
})
