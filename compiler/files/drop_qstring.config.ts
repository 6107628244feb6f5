import { parameterRef, profileParameters } from '../cdn/parameters.js'
import { cleaned } from '../cdn/text.js'
import { profileFile } from '../core/defineFile.js'

/** The rule of regex_remap.so that drops the query string. `$t` knows no port: remap.config warns where one is lost. */
export default profileFile({
  name: 'drop_qstring.config',
  view: (context) => {
    const { data, subject, file } = context
    const content = profileParameters(data, subject.id, file).find(({ name }) => name === 'content')
    return {
      rule: content ? cleaned(context, parameterRef(content), 'the value', content.value) : '/([^?]+) $s://$t/$1',
    }
  },
})
