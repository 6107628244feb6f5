import type { CompileContext } from '../core/defineFile.js'
import type { Reader } from '../core/reader.js'
import { distinctSorted } from './order.js'
import { profileParameters } from './parameters.js'

export interface StorageVolume {
  readonly medium: 'disk' | 'ram' | 'ssd'
  /** The volume's id: volumes are counted over the media that the profile has, in this order. */
  readonly volume: number
  readonly prefix: string
  readonly letters: readonly string[]
}

/** The cache volumes of a profile, from the parameters of storage.config (config-files.md §6.2). */
export function storageVolumes(
  data: Reader,
  profileId: number,
  warn: CompileContext['warn'] = () => undefined,
): readonly StorageVolume[] {
  const parameters = profileParameters(data, profileId, 'storage.config')
  const usable = (name: string, isUsable: (value: string) => boolean) => {
    const parameter = parameters.find((one) => one.name === name)
    if (!parameter || isUsable(parameter.value)) return parameter?.value ?? null
    warn('value-ignored', { kind: 'parameters', id: parameter.id, name }, `${name} is not made of device names`)
    return null
  }
  return media
    .map(({ medium, name }) => ({
      medium,
      prefix: usable(`${name}_Prefix`, isDevice),
      letters: usable(`${name}_Letters`, (value) => listed(value).every(isDevice)),
    }))
    .filter((found): found is typeof found & { prefix: string } => found.prefix !== null)
    .map(({ medium, prefix, letters }, i) => ({ medium, volume: i + 1, prefix, letters: listed(letters ?? '') }))
}

const media = [
  { medium: 'disk', name: 'Drive' },
  { medium: 'ram', name: 'RAM_Drive' },
  { medium: 'ssd', name: 'SSD_Drive' },
] as const

function listed(letters: string): string[] {
  return distinctSorted(letters.split(',').map((letter) => letter.trim())).filter((letter) => letter !== '')
}

/** Needs no quoting in storage.config and cannot end or widen a pattern of the udev rules. */
function isDevice(text: string): boolean {
  return /^[\w./:@+=-]+$/.test(text)
}
