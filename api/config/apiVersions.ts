export const versions = ['1.1', '1.2', '1.3'] as const
export type Version = (typeof versions)[number]
