/** Makes the cache server print everything it has to say, instead of writing it to a log below its run root. */
export const diagnosticsToStderr: Readonly<Record<string, string>> = Object.fromEntries(
  ['NOTE', 'WARNING', 'ERROR', 'FATAL', 'ALERT', 'EMERGENCY'].map((level) => [
    `PROXY_CONFIG_DIAGS_OUTPUT_${level}`,
    'E',
  ]),
)
