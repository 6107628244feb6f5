import type { ConfigFile } from '../core/defineFile.js'
import facts from './12M_facts.js'
import atsRules from './50-ats.rules.js'
import astatsConfig from './astats.config.js'
import bgFetch from './bg_fetch.config.js'
import cacheConfig from './cache.config.js'
import cacheurlConfig from './cacheurl.config.js'
import cacheurlQstring from './cacheurl_qstring.config.js'
import cacheurlX from './cacheurl_X.config.js'
import chkconfig from './chkconfig.js'
import dropQstring from './drop_qstring.config.js'
import hdrRw from './hdr_rw.config.js'
import hostingConfig from './hosting.config.js'
import ipAllowConfig from './ip_allow.config.js'
import ipAllowYaml from './ip_allow.yaml.js'
import loggingConfig from './logging.config.js'
import loggingYaml from './logging.yaml.js'
import logsXml from './logs_xml.config.js'
import packages from './packages.js'
import parentConfig from './parent.config.js'
import pluginConfig from './plugin.config.js'
import recordsConfig from './records.config.js'
import regexRemap from './regex_remap.config.js'
import regexRevalidate from './regex_revalidate.config.js'
import remapConfig from './remap.config.js'
import setDscp from './set_dscp.config.js'
import sniYaml from './sni.yaml.js'
import sslMulticert from './ssl_multicert.config.js'
import sslServerName from './ssl_server_name.yaml.js'
import storageConfig from './storage.config.js'
import strategiesYaml from './strategies.yaml.js'
import sysctl from './sysctl.conf.js'
import toExt from './to_ext.config.js'
import unknown from './unknown.js'
import uriSigning from './uri_signing.config.js'
import urlSig from './url_sig.config.js'
import volumeConfig from './volume.config.js'

/** Every config file, one line each. Order does not matter: the registry refuses names that two of them claim. */
export const configFiles: readonly ConfigFile[] = [
  astatsConfig,
  atsRules,
  chkconfig,
  bgFetch,
  cacheConfig,
  cacheurlConfig,
  cacheurlX,
  cacheurlQstring,
  hdrRw,
  hostingConfig,
  ipAllowConfig,
  ipAllowYaml,
  regexRemap,
  regexRevalidate,
  setDscp,
  sniYaml,
  sslMulticert,
  sslServerName,
  strategiesYaml,
  dropQstring,
  facts,
  loggingConfig,
  loggingYaml,
  logsXml,
  packages,
  parentConfig,
  pluginConfig,
  recordsConfig,
  remapConfig,
  storageConfig,
  sysctl,
  toExt,
  uriSigning,
  urlSig,
  volumeConfig,
]

/** Answers for every name that no definition claims; `name` is not looked at. */
export const unknownFile: ConfigFile | null = unknown
