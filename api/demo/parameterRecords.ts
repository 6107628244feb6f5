import type { Setting } from './profileDescription.js'

/** A value that a profile wants in a config file. */
export interface ProfileSetting {
  readonly profile: string
  readonly configFile: string
  readonly name: string
  readonly value: string
}

/** Every distinct parameter once, with the names of the profiles that have it. */
export function parameterRecords(settings: Iterable<ProfileSetting>) {
  const byContent = new Map<string, { name: string; configFile: string; value: string; profiles: Set<string> }>()
  for (const { profile, configFile, name, value } of settings) {
    const key = `${configFile}\n${name}\n${value}`
    const known = byContent.get(key)
    if (known) known.profiles.add(profile)
    else byContent.set(key, { name, configFile, value, profiles: new Set([profile]) })
  }
  return [...byContent.values()].map(({ profiles, ...parameter }) => ({
    ...parameter,
    secure: false,
    profiles: [...profiles],
  }))
}

export function settingsOf(profile: string, files: Readonly<Record<string, readonly Setting[]>>): ProfileSetting[] {
  return Object.entries(files).flatMap(([configFile, settings]) =>
    settings.map(([name, value]) => ({ profile, configFile, name, value })),
  )
}
