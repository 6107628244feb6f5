/** The files that are a delivery service's own, each named after it. */
export const serviceFiles = (xmlId: string) =>
  ({
    edgeRewrite: `hdr_rw_${xmlId}.config`,
    midRewrite: `hdr_rw_mid_${xmlId}.config`,
    regexRemap: `regex_remap_${xmlId}.config`,
    cacheurl: `cacheurl_${xmlId}.config`,
    urlSig: `url_sig_${xmlId}.config`,
    uriSigning: `uri_signing_${xmlId}.config`,
  }) as const
