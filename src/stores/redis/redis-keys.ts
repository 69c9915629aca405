import { digestText } from '../../wire/digest.ts'

/** Default first part of every key. */
export const DEFAULT_KEY_PREFIX = 'interlingua'

/** Longest tenant name, in its escaped form, that is part of the keys. A longer one is replaced by its hash. */
const MAX_TAG_LENGTH = 80

/**
 * Returns the beginning of all keys of a tenant. The escaped name contains neither braces nor colons, so that no tenant
 * can name a key of another one, and the braces make Redis Cluster keep all keys of a tenant on one node.
 */
export function createKeyPrefix(keyPrefix: string, tenant: string): string {
  const escaped = encodeURIComponent(tenant)
  // No escaped name contains `%x`: two hexadecimal digits follow every percent sign.
  return `${keyPrefix}:{${escaped.length > MAX_TAG_LENGTH ? `%x${digestText(tenant)}` : escaped}}:`
}

/** Returns the part of a key that is an id from the caller. */
export function escapeId(id: string): string {
  return encodeURIComponent(id)
}

/** Returns the member of the list of sessions, which sorts by the time of the last write. */
export function toSessionMember({
  updatedAt,
  key,
}: {
  readonly updatedAt: string
  readonly key: string
}): string {
  return `${updatedAt} ${key}`
}

/** The entries of a session's index. Each value ends with a space, so that no key has another one as its beginning. */
export const INDEX_PREFIXES = {
  children: (parent: string): string => `c ${parent} `,
  hash: (hash: string, section: string): string => `h ${hash} ${section} `,
  usage: (day: string): string => `u ${day}`,
} as const
