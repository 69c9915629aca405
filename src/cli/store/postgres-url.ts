import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import type { SearchIndexOptions } from '../../stores/sql/search-index.ts'
import { postgresStorage } from '../../stores/postgres/index.ts'

export function isPostgresUrl(store: string): boolean {
  return /^postgres(ql)?:/i.test(store)
}

/** Returns a URL without password and options, which may be secrets, so that it can be printed. */
export function removePassword(url: string): string {
  if (!URL.canParse(url)) throw invalidUrl()
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** Opens a storage in PostgreSQL. `path` is the URL without password. */
export async function openPostgresStorage(
  url: string,
  path: string,
  options: SearchIndexOptions,
): Promise<ConversationStorage> {
  try {
    return await postgresStorage(url, options)
  } catch (error) {
    if (error instanceof InterlinguaError) throw withUrl(error, path)
    // The driver rejects a URL with an error that contains it.
    throw invalidUrl()
  }
}

/** Adds the URL to an error of the storage. The cause is omitted: it may contain the connection options. */
function withUrl({ code, message, hint, retryable }: InterlinguaError, path: string): InterlinguaError {
  return new InterlinguaError(code, `${message} (${path})`, {
    retryable,
    ...(hint !== undefined && { hint }),
  })
}

function invalidUrl(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The PostgreSQL URL of the store is invalid', {
    path: '/store',
    found: 'a URL that cannot be parsed',
    expected: 'postgres://user:password@host:5432/database',
    hint: 'Escape special characters of the password, such as @ as %40.',
  })
}
