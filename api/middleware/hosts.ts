import type { IncomingMessage } from 'node:http'

/**
 * Whether a request names two hosts: a program on the way may have gone by the other one. The server joins what is
 * given twice with commas, which no host name has; nor has an API token, so that two of those are none.
 */
export const hasTwoHosts = ({ headers }: IncomingMessage): boolean => headers.host?.includes(',') === true
