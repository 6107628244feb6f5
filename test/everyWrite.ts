import type { Client } from './build.js'
import { derived } from './writes/derived.js'
import { federations } from './writes/federations.js'
import type { Finder, Line } from './writes/finder.js'
import { createFinder } from './writes/finder.js'
import { keys } from './writes/keys.js'
import { oneField, patchOf } from './writes/patched.js'
import { people } from './writes/people.js'
import { places } from './writes/places.js'
import { profiles } from './writes/profiles.js'
import { removals } from './writes/removals.js'
import { servers } from './writes/servers.js'
import { services } from './writes/services.js'

/** One request that changes something, by the route it uses. */
export interface Write {
  readonly route: string
  readonly path: string
  readonly body?: unknown
}

const subjects = [places, profiles, servers, services, keys, people, federations]

/** What has no line of its own. */
function withoutLine(finder: Finder): readonly Line[] {
  const lines = [...subjects, removals].flatMap((subject) => subject(finder))
  return derived(finder, new Set(lines.map(([route]) => route)))
}

/** One write by every route there is, on the sample CDN; each may use what those before it made. */
export async function* everyWrite(client: Client): AsyncGenerator<Write> {
  for (const subject of [...subjects, withoutLine, removals]) {
    for (const [route, ask] of subject(createFinder(client))) {
      const [path, body] = await ask()
      const place = /^\/(update|tools)\//.test(path) ? path : `/api/1.3${path}`
      const patch = patchOf(route)
      // Before the PUT, which then leaves what later lines look for.
      if (patch)
        yield {
          route: `PATCH ${patch.path}`,
          path: place,
          body: await oneField(patch, body, (await client.get(place)).body),
        }
      yield { route, path: place, body }
    }
  }
}
