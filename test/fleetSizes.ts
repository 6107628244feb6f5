export const fleetSizes = {
  /** Small enough for tests that run on every change. */
  S: { servers: 40, cachegroups: 10, services: 40, profiles: 8, tenants: 5 },
  M: { servers: 250, cachegroups: 29, services: 300, profiles: 20, tenants: 25 },
  L: { servers: 1_000, cachegroups: 80, services: 1_000, profiles: 80, tenants: 100 },
  XL: { servers: 3_000, cachegroups: 150, services: 2_000, profiles: 300, tenants: 250 },
  /** The data set whose start-up time PERFORMANCE.md bounds. */
  XXL: { servers: 5_000, cachegroups: 200, services: 3_000, profiles: 300, tenants: 250 },
} as const

export type FleetSize = { readonly [K in keyof (typeof fleetSizes)['M']]: number }
