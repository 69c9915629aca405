import { InterlinguaError } from '../../errors.ts'
import {
  CONNECTION_ERROR_RULES,
  createServerError,
  type ServerErrorRule,
  createUnavailableRule,
  UNREACHABLE_RULE,
  createUnusableRule,
} from '../server-error-rules.ts'

const REFUSED = createUnusableRule(
  'The server refused the user or the password',
  'Check the user and the password.',
)
const CLUSTER_ONLY = createUnusableRule(
  'The server is a node of a cluster, and the keys are on another node',
  'Pass a client of the whole cluster: redisStorage({ cluster }).',
)
/** For a server that did not answer when the connection was opened. */
export const NOT_ACCEPTED_RULE: ServerErrorRule = createUnavailableRule(
  'The server did not accept the connection in time',
  'Check that the server runs, or set a longer `connectTimeoutMs`; then try again.',
)
const CLUSTER_BUSY = createUnavailableRule('The cluster is moving keys or has lost nodes')

/** Errors by the first word of the server's reply, by system error code, or by the name of the client's error. */
const REDIS_ERROR_RULES: Readonly<Record<string, ServerErrorRule>> = {
  ASK: CLUSTER_BUSY,
  BUSY: createUnavailableRule('The server is busy with a script of another program'),
  CLUSTERDOWN: CLUSTER_BUSY,
  CROSSSLOT: CLUSTER_ONLY,
  LOADING: createUnavailableRule('The server is starting and still reads its data', 'Try again in a moment.'),
  MASTERDOWN: createUnavailableRule('The server is a replica that has lost its primary'),
  MISCONF: createUnusableRule(
    'The server cannot write to its disk and refuses changes',
    'Check the log and the free disk space of the server, then try again.',
  ),
  MOVED: CLUSTER_ONLY,
  NOAUTH: REFUSED,
  NOPERM: createUnusableRule(
    'The storage cannot be used: permission is denied',
    'Allow the user the commands on the keys of interlingua: +@all -@dangerous +info ~interlingua:*.',
  ),
  NOREPLICAS: createUnavailableRule('The server refuses changes: too few replicas are connected'),
  OOM: createUnusableRule(
    'The server has no memory left and refuses changes',
    'Raise `maxmemory` of the server, or delete old conversations with prune(); then try again.',
  ),
  READONLY: createUnusableRule(
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
  ClientClosedError: createUnusableRule(
    'The client of Redis is not connected',
    'Call connect() before you pass the client, and close it after the storage.',
  ),
  ClientOfflineError: UNREACHABLE_RULE,
  ConnectionTimeoutError: NOT_ACCEPTED_RULE,
  ...CONNECTION_ERROR_RULES,
}

const REJECTED = createUnusableRule(
  'Redis rejected a command',
  'See `cause`: the server reported an error that is not known to be temporary.',
)

/** For a command that took longer than its limit. Whether it had an effect is not known. */
export const TIMED_OUT_RULE: ServerErrorRule = createUnavailableRule(
  'The server did not answer in time',
  'Try again with the same messages, or set a longer `commandTimeoutMs`.',
)

/** Converts an error of Redis or its connection into a storage error. */
export function convertRedisError(error: unknown): InterlinguaError {
  if (error instanceof InterlinguaError) return error
  return createServerError(findRedisErrorRule(error), error)
}

function findRedisErrorRule(error: unknown): ServerErrorRule {
  if (!(error instanceof Error)) return UNREACHABLE_RULE
  const names = [getReplyCode(error), 'code' in error ? String(error.code) : '', error.constructor.name]
  const found = names.find((name) => Object.hasOwn(REDIS_ERROR_RULES, name))
  if (found !== undefined) return REDIS_ERROR_RULES[found] ?? UNREACHABLE_RULE
  return isErrorReply(error) ? REJECTED : UNREACHABLE_RULE
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
