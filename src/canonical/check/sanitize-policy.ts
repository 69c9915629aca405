import type { Message, Role } from '../model/message.ts'

/** Host names of this machine or its network. */
const LOCAL_HOST_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa']

/** Characters that some URL parsers skip or read as a slash, and others accept in a name. */
const AMBIGUOUS_CHARACTERS = /[\s\\\p{Cc}]/u

/** Parses a URL by the WHATWG rules; undefined if it is invalid. */
function parseUrlOrUndefined(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/**
 * Returns true for a URL that may be passed to a host that fetches it: https, a public host name, no
 * credentials. The code that fetches must check the address that the name resolves to.
 */
function isPublicUrl(text: string): boolean {
  const url = AMBIGUOUS_CHARACTERS.test(text) ? undefined : parseUrlOrUndefined(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return isPublicHostName(url.hostname.replace(/\.$/, ''))
}

/** The URL parser has already normalized every notation of an address (hexadecimal, one number, short). */
function isPublicHostName(name: string): boolean {
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name)
  if (isAddress || !name.includes('.')) return false
  return !LOCAL_HOST_SUFFIXES.some((local) => name === local || name.endsWith(`.${local}`))
}

/** Options of {@link sanitize}: what to drop and what to keep. Without options, nothing is trusted. */
export interface SanitizePolicy {
  /** The roles to keep. Default: user, assistant and tool, so that forged instructions are dropped. */
  readonly roles?: readonly Role[]
  /**
   * Signatures: tokens by which a vendor recognizes a part. Redacted reasoning is dropped with its signature.
   * Default: drop.
   */
  readonly signatures?: 'drop' | 'keep'
  /** Files at a provider, by id. `drop` removes the part; in a citation, `provider` is `''`. Default: drop. */
  readonly fileIds?: 'drop' | 'keep' | ((id: string, provider: string) => boolean)
  /**
   * Media by URL. Default: https URLs with a public host name and without credentials; parts with other URLs
   * are dropped. URLs of citations are only text: unless this is `keep`, they must be http or https.
   */
  readonly urls?: 'drop' | 'keep' | ((url: URL) => boolean)
  /** Residue of a wire format, which an encoder would send unchanged. Default: drop. */
  readonly extra?: 'drop' | 'keep'
  /** Blocks and citations of unknown types. Default: drop. */
  readonly opaque?: 'drop' | 'keep'
  /** Metadata of messages and parts. Default: drop. */
  readonly metadata?: 'drop' | 'keep'
  /** Origin, usage and finish of assistant messages. Default: drop. */
  readonly provenance?: 'drop' | 'keep'
  /** Tool calls that a provider executed, and their results. Default: drop. */
  readonly providerCalls?: 'drop' | 'keep'
  /**
   * Returns true for a message that the server knows; it is kept unchanged. An id proves nothing, because the
   * client can send any id: compare the content with the stored message.
   */
  readonly isTrusted?: (message: Message) => boolean
}

/** Returns true if media may have this URL. */
export function isAllowedMediaUrl({ urls }: SanitizePolicy, text: string): boolean {
  if (urls === undefined) return isPublicUrl(text)
  if (typeof urls === 'string') return urls === 'keep'
  const url = parseUrlOrUndefined(text)
  return url !== undefined && urls(url)
}

/** Returns true if a citation may have this URL. */
export function isAllowedCitationUrl({ urls }: SanitizePolicy, text: string): boolean {
  return urls === 'keep' || ['http:', 'https:'].includes(parseUrlOrUndefined(text)?.protocol ?? '')
}

/** Returns true if a file may have this id. */
export function isAllowedFileId({ fileIds = 'drop' }: SanitizePolicy, id: string, provider: string): boolean {
  return typeof fileIds === 'string' ? fileIds === 'keep' : fileIds(id, provider)
}
