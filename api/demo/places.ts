/** Where the sample operator has machines: divisions down to cache groups, and how cache groups relate. */
export const places = {
  divisions: [{ name: 'North America' }, { name: 'Europe' }],

  regions: [
    { name: 'US East', divisionName: 'North America' },
    { name: 'US Central', divisionName: 'North America' },
    { name: 'US West', divisionName: 'North America' },
    { name: 'Europe North', divisionName: 'Europe' },
    { name: 'Europe South', divisionName: 'Europe' },
  ],

  physLocations: [
    site('New York', 'nyc', '111 Eighth Avenue', 'NY', '10011', 'US East'),
    site('Ashburn', 'iad', '21715 Filigree Court', 'VA', '20147', 'US East'),
    site('Chicago', 'chi', '350 East Cermak Road', 'IL', '60616', 'US Central'),
    site('Denver', 'den', '910 15th Street', 'CO', '80202', 'US Central'),
    site('Dallas', 'dal', '1950 North Stemmons Freeway', 'TX', '75207', 'US Central'),
    site('Los Angeles', 'lax', '600 West Seventh Street', 'CA', '90017', 'US West'),
    site('Seattle', 'sea', '2001 Sixth Avenue', 'WA', '98121', 'US West'),
    site('London', 'lon', '14 Coriander Avenue', 'LDN', 'E14 2AA', 'Europe North'),
    site('Frankfurt', 'fra', 'Hanauer Landstrasse 302', 'HE', '60314', 'Europe North'),
    site('Milan', 'mil', 'Via Caldera 21', 'MI', '20153', 'Europe South'),
  ],

  coordinates: [
    { name: 'studio-new-york', latitude: 40.7411, longitude: -73.9897 },
    { name: 'studio-london', latitude: 51.5101, longitude: -0.0043 },
  ],

  cachegroups: [
    group('org-us-east', 'ORG_LOC', [40.74, -74]),
    group('org-us-west', 'ORG_LOC', [34.05, -118.26]),
    group('org-eu', 'ORG_LOC', [51.51, 0]),

    group('mid-us-east', 'MID_LOC', [39.02, -77.46], 'org-us-east', 'org-us-west'),
    group('mid-us-central', 'MID_LOC', [39.75, -105], 'org-us-east', 'org-us-west'),
    group('mid-us-west', 'MID_LOC', [34.05, -118.26], 'org-us-west', 'org-us-east'),
    group('mid-eu-north', 'MID_LOC', [50.12, 8.74], 'org-eu', 'org-us-east'),
    // A second mid tier: its parents are mids, not origins.
    group('mid-eu-south', 'MID_LOC', [45.48, 9.1], 'mid-eu-north', 'mid-us-east'),

    group('edge-nyc', 'EDGE_LOC', [40.74, -74], 'mid-us-east', 'mid-us-west', { fallbackToClosest: false }),
    group('edge-chi', 'EDGE_LOC', [41.85, -87.62], 'mid-us-east', 'mid-us-west'),
    group('edge-den', 'EDGE_LOC', [39.75, -105], 'mid-us-central', 'mid-us-west'),
    group('edge-dal', 'EDGE_LOC', [32.8, -96.82], 'mid-us-central', 'mid-us-west'),
    group('edge-lax', 'EDGE_LOC', [34.05, -118.26], 'mid-us-west', 'mid-us-east', {
      localizationMethods: ['CZ', 'GEO'],
    }),
    group('edge-sea', 'EDGE_LOC', [47.61, -122.34], 'mid-us-west', 'mid-us-east'),
    group('edge-lon', 'EDGE_LOC', [51.51, 0], 'mid-eu-north', 'mid-us-east', {
      fallbackToClosest: false,
      localizationMethods: ['DEEP_CZ', 'CZ', 'GEO'],
    }),
    group('edge-fra', 'EDGE_LOC', [50.12, 8.74], 'mid-eu-north', 'mid-us-east'),
    group('edge-mil', 'EDGE_LOC', [45.48, 9.1], 'mid-eu-south', 'mid-eu-north'),

    group('infra-us', 'EDGE_LOC', [39.02, -77.46]),
    group('infra-eu', 'EDGE_LOC', [50.12, 8.74]),
  ],

  cachegroupFallbacks: [
    fallback('edge-nyc', 'edge-chi', 1),
    fallback('edge-nyc', 'edge-lon', 2),
    fallback('edge-sea', 'edge-lax', 1),
    fallback('edge-lon', 'edge-fra', 1),
    fallback('edge-mil', 'edge-fra', 1),
    fallback('edge-mil', 'edge-lon', 2),
  ],

  asns: [
    { asn: 64496, cachegroup: 'edge-nyc' },
    { asn: 64497, cachegroup: 'edge-lax' },
    { asn: 64498, cachegroup: 'edge-lon' },
    { asn: 64499, cachegroup: 'edge-fra' },
  ],
}

function site(city: string, shortName: string, address: string, state: string, zip: string, region: string) {
  return {
    name: `${city} colocation`,
    shortName,
    address,
    city,
    state,
    zip,
    phone: '+1 202 555 0100',
    poc: 'Data centre desk',
    email: `${shortName}@ops.example.net`,
    comments: null,
    region,
  }
}

type Position = readonly [latitude: number, longitude: number]

function group(
  name: string,
  typeName: string,
  [latitude, longitude]: Position,
  parentCachegroupName: string | null = null,
  secondaryParentCachegroupName: string | null = null,
  options: { fallbackToClosest?: boolean; localizationMethods?: readonly string[] } = {},
) {
  return {
    name,
    shortName: name,
    typeName,
    latitude,
    longitude,
    parentCachegroupName,
    secondaryParentCachegroupName,
    fallbackToClosest: true,
    localizationMethods: [] as readonly string[],
    ...options,
  }
}

function fallback(cacheGroupName: string, fallbackName: string, fallbackOrder: number) {
  return { cacheGroupName, fallbackName, fallbackOrder }
}
