import { inOrder, isHostNameText, parameterRef, profileParameters } from '../cdn/parameters.js'
import { cleanedLines } from '../cdn/text.js'
import type { CompileContext } from '../core/defineFile.js'
import { defineConfigFile, FileMissing } from '../core/defineFile.js'

/**
 * "Take and bake" (config-files.md §6.20): a file nobody defined is the values of its parameters, one per line.
 * `__HOSTNAME__` is left to the agent, as everywhere, unless it is the whole of a `STRING` value.
 * The registry falls back to it; its scope comes from the parameter `scope` of the file.
 */
export default defineConfigFile({
  name: /^.+$/,
  template: 'unknown',
  views: {
    servers: (context) => {
      const { hostName, domainName, profileId } = context.subject
      return baked(context, profileId, `STRING ${hostName}.${domainName}`)
    },
    profiles: (context) => baked(context, context.subject.id, 'STRING __FULL_HOSTNAME__'),
  },
  listedScope: () => 'servers',
})

/** They say something about the file and are not part of it. */
const aboutTheFile = new Set(['header', 'scope'])

function baked(context: CompileContext<'servers' | 'profiles'>, profileId: number, hostName: string) {
  const { data, file } = context
  if (!data.has('parameters', 'configFile', file)) throw new FileMissing(`no profile has a parameter for ${file}`)
  const parameters = inOrder(profileParameters(data, profileId, file))
  const lines = parameters
    .filter(({ name }) => !aboutTheFile.has(name))
    .flatMap((parameter) => {
      const value = isHostNameText(parameter.value) ? hostName : parameter.value
      return cleanedLines(context, parameterRef(parameter), 'the value', value)
    })
  const own = parameters.find(({ name }) => name === 'header')
  const top =
    own === undefined || own.value === 'none' ? [] : cleanedLines(context, parameterRef(own), 'the value', own.value)
  return { usualHeader: own === undefined, lines: [...top, ...lines] }
}
