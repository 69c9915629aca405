import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import type { SearchIndexOptions } from '../../stores/sql/search-index-rows.ts'
import { postgresStorage } from '../../stores/postgres/index.ts'
import { redisStorage } from '../../stores/redis/index.ts'
import { tryParseUrl } from '../../wire/urls.ts'

/** A kind of server that contains a store. */
interface ServerKind {
  readonly name: string
  /** Matches the URLs of the server. */
  readonly pattern: RegExp
  /** A URL with all its parts. */
  readonly example: string
  /** How to copy all its data. */
  readonly backupHint: string
  readonly open: (url: string, options: SearchIndexOptions) => Promise<ConversationStorage>
}

const SERVER_KINDS: readonly ServerKind[] = [
  {
    name: 'PostgreSQL',
    pattern: /^postgres(ql)?:/i,
    example: 'postgres://user:password@host:5432/database',
    backupHint: 'Run pg_dump',
    open: postgresStorage,
  },
  {
    name: 'Redis',
    pattern: /^rediss?:/i,
    example: 'redis://user:password@host:6379/0',
    backupHint: 'Run redis-cli --rdb',
    open: (url) => redisStorage({ url }),
  },
]

/** Returns the kind of the server that a URL names, if any. */
export function findServerKind(store: string): ServerKind | undefined {
  return SERVER_KINDS.find(({ pattern }) => pattern.test(store))
}

/** Throws for the URL of another kind of server. As the name of a file, it would be printed with its password. */
export function assertSupportedStoreUrl(store: string): void {
  const [, protocol] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(store) ?? []
  if (protocol === undefined) return
  throw new InterlinguaError('invalid-value', `There is no store for URLs that start with ${protocol}:`, {
    path: '/store',
    found: `a URL that starts with ${protocol}:`,
    expected: `the path of a file, or a URL such as ${SERVER_KINDS.map(({ example }) => example).join(' or ')}`,
    hint: 'Pass the path of a file, or the URL of a PostgreSQL or Redis server.',
  })
}

/** Returns a URL without password and options, which may be secrets, so that it can be printed. */
export function removePassword(url: string): string {
  const parsed = tryParseUrl(url)
  if (parsed === undefined) throw invalidUrl(url)
  const { protocol, username, host, pathname } = parsed
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** Opens a storage on a server. `path` is the URL without password. */
export async function openServerStorage(
  url: string,
  path: string,
  options: SearchIndexOptions,
): Promise<ConversationStorage> {
  const kind = findServerKind(url)
  if (kind === undefined) throw invalidUrl(url)
  try {
    return await kind.open(url, options)
  } catch (error) {
    // The driver rejects a URL with an error that contains it.
    if (!(error instanceof InterlinguaError) || error.path === '/url') throw invalidUrl(url)
    throw withUrl(error, path)
  }
}

/** Adds the URL to an error of the storage. The cause is omitted: it may contain the connection options. */
function withUrl(error: InterlinguaError, path: string): InterlinguaError {
  const { found, expected, hint, retryable } = error.toJSON()
  return new InterlinguaError(error.code, `${error.message} (${path})`, {
    ...(found !== undefined && { found }),
    ...(expected !== undefined && { expected }),
    ...(hint !== undefined && { hint }),
    ...(retryable !== undefined && { retryable }),
  })
}

function invalidUrl(url: string): InterlinguaError {
  const { name = 'server', example = 'a URL' } = findServerKind(url) ?? {}
  return new InterlinguaError('invalid-value', `The ${name} URL of the store is invalid`, {
    path: '/store',
    found: 'a URL that cannot be parsed',
    expected: example,
    hint: 'Escape special characters of the password, such as @ as %40.',
  })
}
