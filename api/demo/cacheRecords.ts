import type { Setting } from './profileDescription.js'

/** records.config of a cache; names carry the directive, values the type, as the file wants them. */
export function records(tier: 'edge' | 'mid', version: number): Readonly<Record<string, readonly Setting[]>> {
  const settings = { ...common, ...(version >= 9 ? since9 : before9), ...(tier === 'edge' ? edge : mid) }
  return {
    'records.config': [
      ['location', '/etc/trafficserver'],
      ...Object.entries(settings).map(([name, value]) => [`CONFIG proxy.config.${name}`, value] as const),
    ],
  }
}

const common = {
  proxy_name: 'STRING __HOSTNAME__',
  accept_threads: 'INT 1',
  'admin.user_id': 'STRING ats',
  'body_factory.enable_customizations': 'INT 1',
  'cache.enable_read_while_writer': 'INT 1',
  'cache.limits.http.max_alts': 'INT 5',
  'cache.max_doc_size': 'INT 0',
  'cache.min_average_object_size': 'INT 131072',
  'cache.ram_cache.size': 'INT 34359738368',
  'cache.ram_cache_cutoff': 'INT 1073741824',
  'cache.threads_per_disk': 'INT 8',
  'diags.debug.enabled': 'INT 0',
  'dns.round_robin_nameservers': 'INT 0',
  'dns.search_default_domains': 'INT 0',
  'exec_thread.autoconfig': 'INT 0',
  'exec_thread.limit': 'INT 32',
  'hostdb.timeout': 'INT 1440',
  'http.background_fill_active_timeout': 'INT 0',
  'http.background_fill_completed_threshold': 'FLOAT 0.0',
  'http.cache.heuristic_max_lifetime': 'INT 86400',
  'http.cache.heuristic_min_lifetime': 'INT 3600',
  'http.cache.http': 'INT 1',
  'http.cache.ignore_client_no_cache': 'INT 1',
  'http.cache.max_stale_age': 'INT 604800',
  'http.cache.open_read_retry_time': 'INT 10',
  'http.cache.max_open_read_retries': 'INT 5',
  'http.cache.required_headers': 'INT 0',
  'http.connect_attempts_max_retries': 'INT 1',
  'http.connect_attempts_rr_retries': 'INT 1',
  'http.connect_attempts_timeout': 'INT 10',
  'http.insert_request_via_str': 'INT 1',
  'http.insert_response_via_str': 'INT 3',
  'http.keep_alive_no_activity_timeout_in': 'INT 60',
  'http.keep_alive_no_activity_timeout_out': 'INT 60',
  'http.negative_caching_enabled': 'INT 1',
  'http.negative_caching_lifetime': 'INT 1',
  'http.normalize_ae': 'INT 1',
  'http.parent_proxy.connect_attempts_timeout': 'INT 10',
  'http.parent_proxy.fail_threshold': 'INT 10',
  'http.parent_proxy.retry_time': 'INT 30',
  'http.response_server_enabled': 'INT 0',
  'http.transaction_active_timeout_in': 'INT 0',
  'http.transaction_active_timeout_out': 'INT 0',
  'http.transaction_no_activity_timeout_in': 'INT 30',
  'http.transaction_no_activity_timeout_out': 'INT 30',
  'log.logfile_dir': 'STRING /var/log/trafficserver',
  'log.logging_enabled': 'INT 3',
  'log.max_secs_per_buffer': 'INT 1',
  'log.max_space_mb_for_logs': 'INT 25000',
  'log.max_space_mb_headroom': 'INT 1000',
  'log.rolling_enabled': 'INT 1',
  'net.connections_throttle': 'INT 500000',
  'net.sock_option_flag_in': 'INT 0x5',
  'net.sock_option_flag_out': 'INT 0x1',
  'reverse_proxy.enabled': 'INT 1',
  'url_remap.pristine_host_hdr': 'INT 0',
}

const since9 = {
  'http.per_server.connection.max': 'INT 0',
  'http.parent_proxy.mark_down_hostdb': 'INT 0',
  'cache.log.alternate.eviction': 'INT 0',
}

const before9 = {
  config_dir: 'STRING /etc/trafficserver',
  'http.origin_max_connections': 'INT 0',
  'http.parent_proxy_routing_enable': 'INT 1',
  'hostdb.storage_size': 'INT 33554432',
  stack_dump_enabled: 'INT 1',
}

const edge = {
  'http.server_ports': 'STRING 80 80:ipv6 443:ssl 443:ssl:ipv6',
  'ssl.server.cert.path': 'STRING /etc/trafficserver/ssl',
  'ssl.server.private_key.path': 'STRING /etc/trafficserver/ssl',
  'ssl.TLSv1': 'INT 0',
  'ssl.TLSv1_1': 'INT 0',
  'url_remap.remap_required': 'INT 1',
}

/** A mid forwards what it has no rule for: most delivery services need none there (config-files.md §4.2). */
const mid = {
  'http.server_ports': 'STRING 80 80:ipv6',
  'url_remap.remap_required': 'INT 0',
}
