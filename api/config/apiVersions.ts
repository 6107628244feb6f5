export const versions = ['1.1', '1.2', '1.3'] as const
export type Version = (typeof versions)[number]

/** Whether a version has what there is since another. */
export const isIn = (version: Version, since: Version = versions[0]): boolean =>
  versions.indexOf(since) <= versions.indexOf(version)
