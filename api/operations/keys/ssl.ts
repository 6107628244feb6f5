/** One version of a delivery service's certificate and key. */
export interface SslKeys {
  readonly cdn: string
  /** The xml id. */
  readonly deliveryservice: string
  /** 1, 2, 3, … per delivery service; the largest is served. */
  readonly version: number
  readonly hostname: string
  readonly country: string | null
  readonly state: string | null
  readonly city: string | null
  readonly organization: string | null
  readonly businessUnit: string | null
  /** When it runs out; ISO 8601, UTC. */
  readonly expiration: string
  /** PEM texts. */
  readonly certificate: { readonly crt: string; readonly key: string; readonly csr: string | null }
}

/** One service's keys as each version answers them. PEM texts are in base64 unless they are to be `decoded`. */
export const presentSslKeys = {
  '1.1': (keys: SslKeys, decoded: boolean) => ({ ...whole(keys, decoded), version: String(keys.version) }),
  '1.3': (keys: SslKeys, decoded: boolean) => ({ ...whole(keys, decoded), expiration: keys.expiration }),
}

/** The newest certificate of every service, as routers and cache agents read them; ordered by xml id. */
export const presentCdnSslKeys = (all: readonly SslKeys[]) =>
  newest(all).map(({ deliveryservice, hostname, certificate: { crt, key } }) => ({
    deliveryservice,
    hostname,
    certificate: { crt: base64(crt), key: base64(key) },
  }))

/** What an expiry list shows; nothing of it is private. */
export type Expiring = Pick<SslKeys, 'deliveryservice' | 'cdn' | 'hostname' | 'version' | 'expiration'>

/** When the newest certificate of every service runs out, soonest first. @param now milliseconds since 1970 */
export const presentExpirations = (all: readonly Expiring[], now: number) =>
  newest(all)
    .map(({ deliveryservice, cdn, hostname, version, expiration }) => ({
      deliveryservice,
      cdn,
      hostname,
      version,
      expiration,
      expired: Date.parse(expiration) <= now,
    }))
    .toSorted((a, b) => Date.parse(a.expiration) - Date.parse(b.expiration))

/** Under what name a version of the keys is known: `news-2`, and `news-latest` for the newest. */
export const sslKeyName = (xmlId: string, version: number | 'latest'): string => `${xmlId}-${version}`

/** The version that follows those there are. */
export const nextVersion = (versions: readonly number[]): number => Math.max(0, ...versions) + 1

/** The version a client asks for: its number, or the newest when it names none or `latest`. */
export function wantedVersion<K extends { version: number }>(
  versions: readonly K[],
  wanted: string | undefined,
): K | undefined {
  if (wanted !== undefined && wanted !== '' && wanted !== 'latest')
    return versions.find(({ version }) => String(version) === wanted)
  return versions.reduce<K | undefined>((best, keys) => (best && best.version > keys.version ? best : keys), undefined)
}

function whole({ expiration: _, certificate: { crt, key, csr }, ...keys }: SslKeys, decoded: boolean) {
  const shown = decoded ? (pem: string) => pem : base64
  return {
    ...keys,
    key: keys.deliveryservice,
    certificate: { crt: shown(crt), key: shown(key), csr: csr === null ? null : shown(csr) },
  }
}

function newest<K extends { deliveryservice: string; version: number }>(all: readonly K[]): K[] {
  const best = new Map<string, K>()
  for (const keys of all)
    if ((best.get(keys.deliveryservice)?.version ?? 0) < keys.version) best.set(keys.deliveryservice, keys)
  return [...best.values()].toSorted((a, b) => (a.deliveryservice < b.deliveryservice ? -1 : 1))
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
