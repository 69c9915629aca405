import { InterlinguaError } from '../../errors.ts'
import {
  CONNECTION_ERROR_RULES,
  createServerError,
  type ServerErrorRule,
  unavailable,
  UNREACHABLE,
  unusable,
} from '../server-error-rules.ts'

const REFUSED = unusable('The server refused the user or the password', 'Check the user and the password.')
const CLUSTER_ONLY = unusable(
  'The server is a node of a cluster, and the keys are on another node',
  'Pass a client of the whole cluster: redisStorage({ cluster }).',
)
/** For a server that did not answer when the connection was opened. */
export const NOT_ACCEPTED: ServerErrorRule = unavailable(
  'The server did not accept the connection in time',
  'Check that the server runs, or set a longer `connectTimeoutMs`; then try again.',
)
const CLUSTER_BUSY = unavailable('The cluster is moving keys or has lost nodes')

/** Errors by the first word of the server's reply, by system error code, or by the name of the client's error. */
const REDIS_ERROR_RULES: Readonly<Record<string, ServerErrorRule>> = {
  ASK: CLUSTER_BUSY,
  BUSY: unavailable('The server is busy with a script of another program'),
  CLUSTERDOWN: CLUSTER_BUSY,
  CROSSSLOT: CLUSTER_ONLY,
  LOADING: unavailable('The server is starting and still reads its data', 'Try again in a moment.'),
  MASTERDOWN: unavailable('The server is a replica that has lost its primary'),
  MISCONF: unusable(
    'The server cannot write to its disk and refuses changes',
    'Check the log and the free disk space of the server, then try again.',
  ),
  MOVED: CLUSTER_ONLY,
  NOAUTH: REFUSED,
  NOPERM: unusable(
    'The storage cannot be used: permission is denied',
    'Allow the user the commands on the keys of interlingua: +@all -@dangerous +info ~interlingua:*.',
  ),
  NOREPLICAS: unavailable('The server refuses changes: too few replicas are connected'),
  OOM: unusable(
    'The server has no memory left and refuses changes',
    'Raise `maxmemory` of the server, or delete old conversations with prune(); then try again.',
  ),
  READONLY: unusable(
    'The storage cannot be written: the server is a replica',
    'Connect to the primary server.',
  ),
  TRYAGAIN: CLUSTER_BUSY,
  WRONGPASS: REFUSED,
  WRONGTYPE: {
    code: 'damaged',
    message: 'A key of the storage has another type: another program has written to it',
    hint: 'Use another database or `keyPrefix`, or restore a backup.',
    retryable: false,
  },
  ClientClosedError: unusable(
    'The client of Redis is not connected',
    'Call connect() before you pass the client, and close it after the storage.',
  ),
  ClientOfflineError: UNREACHABLE,
  ConnectionTimeoutError: NOT_ACCEPTED,
  ...CONNECTION_ERROR_RULES,
}

const REJECTED = unusable(
  'Redis rejected a command',
  'See `cause`: the server reported an error that is not known to be temporary.',
)

/** For a command that took longer than its limit. Whether it had an effect is not known. */
export const TIMED_OUT: ServerErrorRule = unavailable(
  'The server did not answer in time',
  'Try again with the same messages, or set a longer `commandTimeoutMs`.',
)

/** Converts an error of Redis or its connection into a storage error. */
export function convertRedisError(error: unknown): InterlinguaError {
  if (error instanceof InterlinguaError) return error
  return createServerError(findRedisErrorRule(error), error)
}

function findRedisErrorRule(error: unknown): ServerErrorRule {
  if (!(error instanceof Error)) return UNREACHABLE
  const names = [getReplyCode(error), 'code' in error ? String(error.code) : '', error.constructor.name]
  const found = names.find((name) => Object.hasOwn(REDIS_ERROR_RULES, name))
  if (found !== undefined) return REDIS_ERROR_RULES[found] ?? UNREACHABLE
  return isErrorReply(error) ? REJECTED : UNREACHABLE
}

/** Tests whether the server does not know a script: it was restarted, or it is another one. */
export function isMissingScript(error: unknown): boolean {
  return error instanceof Error && getReplyCode(error) === 'NOSCRIPT'
}

/** Returns the code at the start of an error reply. */
function getReplyCode({ message }: Error): string {
  return /^-?([A-Z]{2,})\b/.exec(message)?.[1] ?? ''
}

/** Tests whether the server replied with the error; any other one is an error of the connection. */
function isErrorReply(error: Error): boolean {
  return /^(Simple|Blob)?Error(Reply)?$/.test(error.constructor.name) && getReplyCode(error) !== ''
}
