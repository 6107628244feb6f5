import type { Line } from './line.js'
import { cachegroups } from './lines/cachegroups.js'
import { cdns } from './lines/cdns.js'
import { configFiles } from './lines/configFiles.js'
import { deliveryServices } from './lines/deliveryServices.js'
import { others } from './lines/others.js'
import { parameters } from './lines/parameters.js'
import { places } from './lines/places.js'
import { profiles } from './lines/profiles.js'
import { servers } from './lines/servers.js'
import { users } from './lines/users.js'

/** The table: one line per row of the interface; each is asked under all versions. */
export const lines: readonly Line[] = [
  ...cachegroups,
  ...cdns,
  ...configFiles,
  ...deliveryServices,
  ...others,
  ...parameters,
  ...places,
  ...profiles,
  ...servers,
  ...users,
]
