import { type ErrorCode, InterlinguaError } from '../../errors.ts'

/** What an error of Redis or of the connection means, and what to do about it. */
interface RedisErrorRule {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
  /** True if the same call may succeed later. */
  readonly retryable: boolean
}

const REPEAT_WRITE = 'Try again with the same messages: messages that are already stored are skipped.'

const unavailable = (message: string, hint: string = REPEAT_WRITE): RedisErrorRule => ({
  code: 'storage-unavailable',
  message,
  hint,
  retryable: true,
})

const unusable = (message: string, hint: string): RedisErrorRule => ({
  ...unavailable(message, hint),
  retryable: false,
})

const UNREACHABLE = unavailable('The storage cannot be reached')
const REFUSED = unusable('The server refused the user or the password', 'Check the user and the password.')
const CLUSTER_ONLY = unusable(
  'The server is a node of a cluster, and the keys are on another node',
  'Pass a client of the whole cluster: redisStorage({ cluster }).',
)
const NOT_ACCEPTED = unavailable(
  'The server did not accept the connection in time',
  'Check that the server runs, or set a longer `connectTimeoutMs`; then try again.',
)
const CLUSTER_BUSY = unavailable('The cluster is moving keys or has lost nodes')

/** Errors by the first word of the server's reply, by system error code, or by the name of the client's error. */
const REDIS_ERROR_RULES: Readonly<Record<string, RedisErrorRule>> = {
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
  EAI_AGAIN: UNREACHABLE,
  ECONNREFUSED: unavailable(
    'The server refused the connection',
    'Check that the server runs; then try again.',
  ),
  ENOTFOUND: unusable('The host of the server was not found', 'Check the host name in the URL.'),
}

const REJECTED = unusable(
  'Redis rejected a command',
  'See `cause`: the server reported an error that is not known to be temporary.',
)

const TIMED_OUT = unavailable(
  'The server did not answer in time',
  'Try again with the same messages, or set a longer `commandTimeoutMs`.',
)

/** Converts an error of Redis or its connection into a storage error. */
export function convertRedisError(error: unknown): InterlinguaError {
  if (error instanceof InterlinguaError) return error
  return createRedisError(findRedisErrorRule(error), error)
}

function findRedisErrorRule(error: unknown): RedisErrorRule {
  if (!(error instanceof Error)) return UNREACHABLE
  const names = [getReplyCode(error), 'code' in error ? String(error.code) : '', error.constructor.name]
  const found = names.find((name) => Object.hasOwn(REDIS_ERROR_RULES, name))
  if (found !== undefined) return REDIS_ERROR_RULES[found] ?? UNREACHABLE
  return isErrorReply(error) ? REJECTED : UNREACHABLE
}

/** Returns the error for a command that took longer than its limit. Whether it had an effect is not known. */
export function createTimeoutError(): InterlinguaError {
  return createRedisError(TIMED_OUT, undefined)
}

/** Returns the error for a server that did not answer when the connection was opened. */
export function createConnectTimeoutError(): InterlinguaError {
  return createRedisError(NOT_ACCEPTED, undefined)
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

function createRedisError(
  { code, message, hint, retryable }: RedisErrorRule,
  cause: unknown,
): InterlinguaError {
  return new InterlinguaError(code, message, { hint, retryable, ...(cause !== undefined && { cause }) })
}
