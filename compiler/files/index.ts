import type { ConfigFile } from '../define.js'
import facts from './12M_facts.js'
import atsRules from './50-ats.rules.js'
import astatsConfig from './astats.config.js'
import chkconfig from './chkconfig.js'
import dropQstring from './drop_qstring.config.js'
import loggingConfig from './logging.config.js'
import loggingYaml from './logging.yaml.js'
import logsXml from './logs_xml.config.js'
import packages from './packages.js'
import parentConfig from './parent.config.js'
import pluginConfig from './plugin.config.js'
import recordsConfig from './records.config.js'
import remapConfig from './remap.config.js'
import storageConfig from './storage.config.js'
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
