import { configDirectory } from './cacheProfiles.js'
import type { ProfileSetting } from './parameterRecords.js'
import type { SampleService } from './service.js'

/**
 * The parameters that come with a delivery service: each file its remap line names must be listed by the caches
 * that get the line (config-files.md §1), and a url_sig file needs the answer to give to the unsigned.
 */
export function serviceFiles(
  { xmlId, ...record }: SampleService['record'],
  profiles: { readonly edges: Iterable<string>; readonly mids: Iterable<string> },
): ProfileSetting[] {
  const signed = record.signingAlgorithm === 'url_sig' ? `url_sig_${xmlId}.config` : null
  const onEdges = [
    record.edgeHeaderRewrite && `hdr_rw_${xmlId}.config`,
    record.regexRemap && `regex_remap_${xmlId}.config`,
    record.cacheurl && `cacheurl_${xmlId}.config`,
    signed,
  ]
  const onMids = [record.midHeaderRewrite && `hdr_rw_mid_${xmlId}.config`]
  const location = { name: 'location', value: configDirectory }
  return [
    ...pairs(profiles.edges, onEdges).map((pair) => ({ ...pair, ...location })),
    ...pairs(profiles.mids, onMids).map((pair) => ({ ...pair, ...location })),
    ...pairs(profiles.edges, [signed]).map((pair) => ({ ...pair, name: 'error_url', value: '403' })),
  ]
}

const pairs = (profiles: Iterable<string>, files: readonly (string | null)[]) =>
  [...profiles].flatMap((profile) =>
    files.filter((file) => file !== null).map((configFile) => ({ profile, configFile })),
  )
