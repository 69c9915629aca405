import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'
import type { RedisConnection } from './redis-connection.ts'

/** The oldest version that has all commands and effects of the scripts. */
const MIN_VERSION = [6, 2] as const

/**
 * Refuses a server that is too old or that removes keys when its memory is full, and warns about one that does not write
 * its data to disk. Facts that the user may not read are not checked.
 */
export async function checkRedisServer(connection: RedisConnection, key: string): Promise<void> {
  const facts = parseInfo(await ignorePermission(connection.run(key, ['INFO'])))
  checkVersion(facts.get('redis_version'))
  checkEviction(facts.get('maxmemory_policy'))
  if (facts.get('aof_enabled') === '0')
    warnOnce('does not write its changes to disk (`appendonly no`): a crash loses acknowledged messages')
  else if (facts.get('aof_enabled') === '1') {
    const reply = await ignorePermission(connection.run(key, ['CONFIG', 'GET', 'appendfsync']))
    // A list of names and values, or an object with them, by the version of the protocol.
    const policy = Array.isArray(reply) ? reply[1] : isObject(reply) ? reply['appendfsync'] : undefined
    if (typeof policy === 'string' && policy !== 'always')
      warnOnce(`has \`appendfsync ${policy}\`: a power failure loses the messages of the last moments`)
  }
}

/** Returns undefined if the user may not run a command, or the server does not have it. */
async function ignorePermission(reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof InterlinguaError && !error.retryable && isPermissionError(error.cause))
      return undefined
    throw error
  }
}

function isPermissionError(cause: unknown): boolean {
  return cause instanceof Error && /^(NOPERM|ERR unknown command)/.test(cause.message)
}

/** Parses the lines `name:value` of `INFO`. */
function parseInfo(reply: unknown): ReadonlyMap<string, string> {
  const lines = typeof reply === 'string' ? reply.split('\r\n') : []
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

function checkVersion(version: string | undefined): void {
  if (version === undefined) return
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return
  throw new InterlinguaError('unsupported-version', 'The version of the Redis server is too old', {
    found: version,
    expected: `${MIN_VERSION.join('.')} or newer`,
    hint: 'Update the server, or use Valkey.',
  })
}

/** Policies that begin with `volatile-` remove only keys with an expiry time, which messages do not have. */
function checkEviction(policy: string | undefined): void {
  if (policy === undefined || !policy.startsWith('allkeys-')) return
  throw new InterlinguaError(
    'unsupported',
    'The Redis server would delete conversations when its memory is full',
    {
      path: '/maxmemory-policy',
      found: policy,
      expected: 'noeviction',
      hint: 'Set `maxmemory-policy noeviction` on the server, or use a server that is not a cache.',
    },
  )
}

const warned = new Set<string>()

function warnOnce(reason: string): void {
  if (warned.has(reason)) return
  warned.add(reason)
  process.emitWarning(`The Redis server ${reason}. Set \`appendonly yes\` and \`appendfsync always\`.`, {
    code: 'INTERLINGUA_REDIS_DURABILITY',
  })
}
