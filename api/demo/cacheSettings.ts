import type { Setting } from './profileDescription.js'

/** Who may read the statistics of caches before version 9, and where. */
export const astats: readonly Setting[] = [
  ['allow_ip', '127.0.0.1,192.0.2.0/24,198.51.100.0/24'],
  ['allow_ip6', '::1,2001:db8::/32'],
  ['path', '_astats'],
  ['record_types', '144'],
]

export const kernel: readonly Setting[] = [
  ['fs.file-max', '2000000'],
  ['kernel.panic', '10'],
  ['net.core.default_qdisc', 'fq'],
  ['net.core.netdev_max_backlog', '250000'],
  ['net.core.rmem_max', '67108864'],
  ['net.core.somaxconn', '8192'],
  ['net.core.wmem_max', '67108864'],
  ['net.ipv4.ip_local_port_range', '10240 65000'],
  ['net.ipv4.tcp_congestion_control', 'bbr'],
  ['net.ipv4.tcp_fin_timeout', '15'],
  ['net.ipv4.tcp_rmem', '4096 87380 67108864'],
  ['net.ipv4.tcp_slow_start_after_idle', '0'],
  ['net.ipv4.tcp_wmem', '4096 65536 67108864'],
  ['net.ipv6.conf.all.accept_ra', '0'],
  ['vm.swappiness', '5'],
]

/** One log of all requests and one of what went wrong, in the names every version's file is made from. */
export const logging: readonly Setting[] = [
  ['LogFormat.Name', 'access'],
  [
    'LogFormat.Format',
    '%<cqts> chi=%<chi> shn=%<shn> url=%<cquuc> cqhm=%<cqhm> pssc=%<pssc> ttms=%<ttms> b=%<psql> sssc=%<sssc> sscl=%<sscl> crc=%<crc> phr=%<phr> uas="%<{User-Agent}cqh>"',
  ],
  ['LogFormat1.Name', 'failures'],
  ['LogFormat1.Format', '%<cqts> chi=%<chi> url=%<cquuc> pssc=%<pssc> crc=%<crc> phr=%<phr>'],
  ['LogFilter.Name', 'server_errors'],
  ['LogFilter.Type', 'accept'],
  ['LogFilter.Filter', 'pssc MATCH 500,502,503,504'],
  ['LogObject.Filename', 'access'],
  ['LogObject.Type', 'ascii'],
  ['LogObject.Format', 'access'],
  ['LogObject.RollingEnabled', '3'],
  ['LogObject.RollingIntervalSec', '86400'],
  ['LogObject.RollingOffsetHr', '11'],
  ['LogObject.RollingSizeMb', '1024'],
  ['LogObject1.Filename', 'failures'],
  ['LogObject1.Type', 'ascii'],
  ['LogObject1.Format', 'failures'],
  ['LogObject1.Filters', 'server_errors'],
  ['LogObject1.RollingEnabled', '1'],
  ['LogObject1.RollingIntervalSec', '86400'],
]

/** How the monitor asks a cache whether it is well, and what it takes for well. */
export function health(version: number): readonly Setting[] {
  const path = version >= 9 ? '_stats' : '_astats?application=&inf.name=${interface_name}'
  return [
    ['health.connection.timeout', '2000'],
    ['health.polling.format', version >= 9 ? 'stats_over_http' : 'astats'],
    ['health.polling.type', 'http'],
    ['health.polling.url', `http://\${hostname}/${path}`],
    ['health.threshold.availableBandwidthInKbps', '>1750000'],
    ['health.threshold.loadavg', '25.0'],
    ['health.threshold.queryTime', '1000'],
    ['history.count', '30'],
  ]
}
