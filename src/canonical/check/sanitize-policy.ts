import type { Message, Role } from '../model/message.ts'

/** Names that mean this machine or its network wherever they are resolved. */
const LOCAL_HOST_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa']

/** What one parser skips or turns into a slash and another takes for part of a name. */
const AMBIGUOUS_CHARACTERS = /[\s\\\p{Cc}]/u

/** A URL by the WHATWG rules; undefined when it is none. */
export function parseUrlOrUndefined(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/**
 * Whether a URL may be given to somebody who will fetch it: https to a public name, without credentials. What the name
 * resolves to is for whoever fetches to check.
 */
export function isPublicUrl(text: string): boolean {
  const url = AMBIGUOUS_CHARACTERS.test(text) ? undefined : parseUrlOrUndefined(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return isPublicHostName(url.hostname.replace(/\.$/, ''))
}

/** The parser has already written every spelling of an address (hexadecimal, one number, short) in the usual form. */
function isPublicHostName(name: string): boolean {
  const address = name.startsWith('[') || /^[\d.]+$/.test(name)
  return (
    !address &&
    name.includes('.') &&
    !LOCAL_HOST_SUFFIXES.some((local) => name === local || name.endsWith(`.${local}`))
  )
}

/** What {@link sanitize} takes away or lets stand. Everything is optional; the default trusts nothing. */
export interface SanitizePolicy {
  /** The roles that are kept. Default: user, assistant and tool; forged instructions go. */
  readonly roles?: readonly Role[]
  /** Tokens by which a provider recognises a part. A redacted reasoning part goes with its token. Default: drop. */
  readonly signatures?: 'drop' | 'keep'
  /** Files at a provider, by id: with `drop` the part goes. `provider` is `''` in a citation. Default: drop. */
  readonly fileIds?: 'drop' | 'keep' | ((id: string, provider: string) => boolean)
  /**
   * Media by URL. Default: https to a public host name without credentials; other parts go. Citations' URLs are only text:
   * unless this is `keep`, they must be http or https.
   */
  readonly urls?: 'drop' | 'keep' | ((url: URL) => boolean)
  /** Residue of a wire format, which an encoder would send as it is. Default: drop. */
  readonly extra?: 'drop' | 'keep'
  /** Blocks and citations that this version does not know. Default: drop. */
  readonly opaque?: 'drop' | 'keep'
  /** Metadata of messages and parts. Default: drop. */
  readonly metadata?: 'drop' | 'keep'
  /** Origin, usage and finish of an answer. Default: drop. */
  readonly provenance?: 'drop' | 'keep'
  /** Calls that a provider ran itself, and their results. Default: drop. */
  readonly providerCalls?: 'drop' | 'keep'
  /**
   * Whether the server vouches for a message, which is then kept whole. An id proves nothing, since the client can send
   * any: compare the content with the stored message.
   */
  readonly isTrusted?: (message: Message) => boolean
}

const POLICY_SWITCHES = {
  'untrusted-signature': 'signatures',
  'untrusted-extra': 'extra',
  'untrusted-opaque': 'opaque',
  'untrusted-metadata': 'metadata',
  'untrusted-provenance': 'provenance',
  'untrusted-provider-call': 'providerCalls',
} as const

/** Whether the policy takes away what the rule is about. */
export function shouldDrop(policy: SanitizePolicy, rule: keyof typeof POLICY_SWITCHES): boolean {
  return policy[POLICY_SWITCHES[rule]] !== 'keep'
}

/** Whether media may come from this URL. */
export function isAllowedUrl({ urls }: SanitizePolicy, text: string): boolean {
  if (urls === undefined) return isPublicUrl(text)
  if (typeof urls === 'string') return urls === 'keep'
  const url = parseUrlOrUndefined(text)
  return url !== undefined && urls(url)
}

/** Whether a citation may show this URL. */
export function isAllowedLink({ urls }: SanitizePolicy, text: string): boolean {
  return urls === 'keep' || ['http:', 'https:'].includes(parseUrlOrUndefined(text)?.protocol ?? '')
}

/** Whether a file may be named by this id. */
export function isAllowedFile({ fileIds = 'drop' }: SanitizePolicy, id: string, provider: string): boolean {
  return typeof fileIds === 'string' ? fileIds === 'keep' : fileIds(id, provider)
}
