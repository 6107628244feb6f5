import type { ConfigFile } from '../define.js'

/** Every config file, one line each. Order does not matter: the registry refuses names that two of them claim. */
export const configFiles: readonly ConfigFile[] = []

/** Answers for every name that no definition claims; `name` is not looked at. */
export const unknownFile: ConfigFile | null = null
