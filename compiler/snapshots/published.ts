import { parameterRef, profileParameters } from '../cdn/parameters.js'
import type { CompileContext } from '../core/defineFile.js'

/** Config files whose parameters the documents of routers and monitors show to everybody who may read those. */
export const publishedFiles = ['CRConfig.json', 'rascal-config.txt', 'rascal.properties'] as const

/** A secure parameter that a document shows is no secret any more. */
export function warnOfSecrets(
  { data, warn }: Pick<CompileContext, 'data' | 'warn'>,
  file: (typeof publishedFiles)[number],
  profileIds: readonly number[],
): void {
  for (const id of new Set(profileIds.flatMap((profileId) => secureOnes(profileId)))) {
    const parameter = data.get('parameters', id)!
    warn(
      'secret-published',
      parameterRef(parameter),
      `the value of the secure parameter ${parameter.name} is shown here`,
    )
  }

  function secureOnes(profileId: number): number[] {
    return profileParameters(data, profileId, file).flatMap(({ id, secure }) => (secure ? [id] : []))
  }
}
