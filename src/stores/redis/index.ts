import { readOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isObject, omitUndefined } from '../../wire/json.ts'
import {
  checkCount,
  checkIdentifier,
  checkText,
  checkTimeout,
  throwInvalidType,
  throwInvalidValue,
} from '../check-arguments.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { createStorage, STORAGE_OPTION_NAMES, type StorageOptions } from '../create-storage.ts'
import {
  openRedisClient,
  type RedisClient,
  type RedisCluster,
  RedisConnection,
  type SendCommand,
} from './redis-connection.ts'
import { createKeyPrefix, DEFAULT_KEY_PREFIX } from './redis-keys.ts'
import { RedisRowStore } from './redis-row-store.ts'
import { checkRedisServer } from './check-redis-server.ts'

export type { RedisClient, RedisCluster }

/** The server of a {@link redisStorage}: a URL, or a connected client of the package `redis` that the caller closes. */
export type RedisSource =
  | { readonly url: string }
  | { readonly client: RedisClient }
  /** A client of a Redis Cluster. All keys of a tenant are on one node. */
  | { readonly cluster: RedisCluster }

/** Options of {@link redisStorage}. `Infinity` disables a time-out. */
export interface RedisOptions extends StorageOptions {
  /** First part of every key, for applications that share a server. Default: `interlingua`. */
  readonly keyPrefix?: string
  /** Milliseconds to wait for a connection, if the storage creates the client. Default: 10,000. */
  readonly connectTimeoutMs?: number
  /** Milliseconds to wait for the reply to a command. Default: 10,000. */
  readonly commandTimeoutMs?: number
  /** Milliseconds to try again while other writers change the same session. Default: 10,000. */
  readonly lockTimeoutMs?: number
  /** Number of replicas that must have received a write before it is acknowledged. Default: 0. */
  readonly replicas?: number
}

const DEFAULT_TIMEOUT_MS = 10_000

/**
 * Opens a storage in Redis or Valkey, for many machines. The server must keep its data on disk (`appendonly yes`,
 * `appendfsync always`) and must not remove keys when its memory is full.
 *
 * @example
 * const storage = await redisStorage({ url: 'redis://localhost' })
 */
export async function redisStorage(
  source: RedisSource,
  options: RedisOptions = {},
): Promise<ConversationStorage> {
  const {
    keyPrefix = DEFAULT_KEY_PREFIX,
    connectTimeoutMs = DEFAULT_TIMEOUT_MS,
    commandTimeoutMs = DEFAULT_TIMEOUT_MS,
    lockTimeoutMs = DEFAULT_TIMEOUT_MS,
    replicas = 0,
    ...storageOptions
  } = readOptions('redisStorage()', options, {
    ...STORAGE_OPTION_NAMES,
    keyPrefix: true,
    connectTimeoutMs: true,
    commandTimeoutMs: true,
    lockTimeoutMs: true,
    replicas: true,
  })
  for (const [name, value] of Object.entries({ connectTimeoutMs, commandTimeoutMs, lockTimeoutMs }))
    checkTimeout(value, name)
  const { tenant = 'default' } = storageOptions
  checkIdentifier(tenant, 'tenant')
  if (replicas !== 0) checkCount(replicas, 'replicas')
  if (/[{}]/.test(checkText(keyPrefix, 'keyPrefix')))
    throwInvalidValue(
      'keyPrefix',
      'a text with braces',
      'a text without { and }, which choose the node of a cluster',
    )
  const connection = await connect(source, { connectTimeoutMs, commandTimeoutMs })
  const replicaTimeoutMs = Number.isFinite(commandTimeoutMs) ? Math.ceil(commandTimeoutMs / 2) : 0
  const store = new RedisRowStore(connection, { keyPrefix, lockTimeoutMs, replicas, replicaTimeoutMs })
  try {
    await checkRedisServer(connection, createKeyPrefix(keyPrefix, tenant))
    return createStorage(store, omitUndefined(storageOptions))
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function connect(
  source: RedisSource,
  {
    connectTimeoutMs,
    commandTimeoutMs,
  }: { readonly connectTimeoutMs: number; readonly commandTimeoutMs: number },
): Promise<RedisConnection> {
  const { url, client, cluster } = withTypedErrors(() => readSource(source))
  if (typeof url === 'string') {
    const own = await openRedisClient(url, connectTimeoutMs)
    return new RedisConnection(sendToClient(own.client), { commandTimeoutMs, close: () => own.close() })
  }
  // The caller closes a client that it passes.
  const options = { commandTimeoutMs, close: async () => undefined }
  if (hasSendCommand<RedisClient>(client)) return new RedisConnection(sendToClient(client), options)
  if (hasSendCommand<RedisCluster>(cluster)) return new RedisConnection(sendToCluster(cluster), options)
  const expected = 'an object with `url`, or with a `client` or `cluster` of the package redis'
  return throwInvalidType('source', source, expected)
}

/** Reads the fields once: the caller's object may be anything. */
function readSource(source: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(source)) return {}
  const { url, client, cluster } = source
  return { url, client, cluster }
}

function hasSendCommand<T extends RedisClient | RedisCluster>(value: unknown): value is T {
  return typeof value === 'object' && value !== null && 'sendCommand' in value
}

function sendToClient(client: RedisClient): SendCommand {
  return (_key, args, abortSignal) => client.sendCommand(args, { abortSignal })
}

function sendToCluster(cluster: RedisCluster): SendCommand {
  return (key, args, abortSignal) => cluster.sendCommand(key, false, [...args], { abortSignal })
}
