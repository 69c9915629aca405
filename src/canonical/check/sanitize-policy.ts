import { InterlinguaError } from '../../errors.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { callCallback } from '../../wire/typed-errors.ts'
import { describeType } from '../../wire/json.ts'
import type { Message, Role } from '../model/message.ts'
import { findFileVendor, getHostName, isSameOrSubdomain } from './provider-file-urls.ts'
import { tryParseUrl } from '../../wire/urls.ts'

/** Host names of this machine or its network. */
const LOCAL_HOST_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa']

/** Characters that some URL parsers skip or read as a slash, and others accept in a name. */
const AMBIGUOUS_CHARACTERS = /[\s\\\p{Cc}]/u

/**
 * Returns true for a URL that may be passed to a host that fetches it: https, a public host name, no
 * credentials. The code that fetches must check the address that the name resolves to.
 */
function isPublicUrl(text: string): boolean {
  const url = AMBIGUOUS_CHARACTERS.test(text) ? undefined : tryParseUrl(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return isPublicHostName(getHostName(url))
}

/** The URL parser has already normalized every notation of an address (hexadecimal, one number, short). */
function isPublicHostName(name: string): boolean {
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name)
  if (isAddress || !name.includes('.')) return false
  return !LOCAL_HOST_SUFFIXES.some((local) => isSameOrSubdomain(name, local))
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
  /**
   * Files at a provider, by id or by a URL of the provider's API, which the provider reads with the credentials of your
   * account. A function receives the id or the URL, and the vendor (`''` for an id in a citation). `drop` removes
   * the part. Default: drop.
   */
  readonly fileIds?: 'drop' | 'keep' | ((id: string, provider: string) => boolean)
  /**
   * Media by URL. Default: https URLs with a public host name and without credentials; parts with other URLs
   * are dropped. URLs of citations are only text: unless this is `keep`, they must be http or https. URLs of a
   * provider's API are files: `fileIds` decides about them, whatever this option is.
   */
  readonly urls?: 'drop' | 'keep' | ((url: URL) => boolean)
  /**
   * Cache hints. Providers accept few and charge for writing, so hints of a client cost money and displace those of the
   * server. Default: drop.
   */
  readonly cacheHints?: 'drop' | 'keep'
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
  /** Results of tools in tool messages. With `drop`, only results of trusted messages remain. Default: keep. */
  readonly toolResults?: 'drop' | 'keep'
  /**
   * Assistant messages at the end: a model continues their text, and an agent runs their tool calls. Default: keep in
   * {@link sanitize}, whose list may be a history that the server adds to; drop in {@link sanitizeRequest}.
   */
  readonly prefill?: 'drop' | 'keep'
  /**
   * Returns true for a message that the server knows; it is kept unchanged. An id proves nothing, because the
   * client can send any id: compare the content with the stored message.
   */
  readonly isTrusted?: (message: Message) => boolean
}

/** The options of {@link SanitizePolicy}. */
export const sanitizePolicyNames: OptionNames<SanitizePolicy> = {
  roles: true,
  signatures: true,
  fileIds: true,
  urls: true,
  cacheHints: true,
  extra: true,
  opaque: true,
  metadata: true,
  provenance: true,
  providerCalls: true,
  toolResults: true,
  prefill: true,
  isTrusted: Function,
}

/** Options that are not `drop`, `keep` or a function. */
const LIST_OPTIONS: ReadonlySet<string> = new Set(['roles', 'settings', 'metadataKeys'])

/** Throws for an unknown option or value: a misspelled `drop` would otherwise keep what it should remove. */
export function checkPolicy<T extends SanitizePolicy>(owner: string, policy: T, names: OptionNames<T>): void {
  checkOptions(owner, policy, names)
  for (const [name, value] of Object.entries(policy)) {
    const isWord = name !== 'isTrusted' && (value === 'drop' || value === 'keep')
    const isValid = LIST_OPTIONS.has(name) ? Array.isArray(value) : isWord
    if (value === undefined || isValid || (typeof value === 'function' && FUNCTION_OPTIONS.has(name)))
      continue
    throw new InterlinguaError('invalid-value', `The option \`${name}\` of ${owner} is invalid`, {
      path: `/${name}`,
      found: describeType(value),
      expected: describeOption(name),
      hint: `Set \`${name}\` to ${describeOption(name)}.`,
    })
  }
}

/** Options that accept a function. */
const FUNCTION_OPTIONS: ReadonlySet<string> = new Set([
  'fileIds',
  'isTrusted',
  'providerTools',
  'settings',
  'urls',
])

function describeOption(name: string): string {
  const acceptsFunction = FUNCTION_OPTIONS.has(name) ? ' or a function' : ''
  if (name === 'isTrusted') return 'a function'
  return LIST_OPTIONS.has(name) ? `an array${acceptsFunction}` : `'drop', 'keep'${acceptsFunction}`
}

/** Returns the rule by which a URL of media is dropped, if any. */
export function findMediaUrlRule(policy: SanitizePolicy, text: string): UrlRule | undefined {
  const vendor = findFileVendor(text)
  if (vendor !== undefined) return isAllowedFileId(policy, text, vendor) ? undefined : 'untrusted-file-id'
  return isAllowedMediaUrl(policy, text) ? undefined : 'untrusted-url'
}

/** Returns the rule by which the URL of a citation is dropped, if any. */
export function findCitationUrlRule(policy: SanitizePolicy, text: string): UrlRule | undefined {
  const vendor = findFileVendor(text)
  if (vendor !== undefined) return isAllowedFileId(policy, text, vendor) ? undefined : 'untrusted-file-id'
  const isWebUrl = ['http:', 'https:'].includes(tryParseUrl(text)?.protocol ?? '')
  return policy.urls === 'keep' || isWebUrl ? undefined : 'untrusted-url'
}

type UrlRule = 'untrusted-file-id' | 'untrusted-url'

function isAllowedMediaUrl({ urls }: SanitizePolicy, text: string): boolean {
  if (urls === undefined) return isPublicUrl(text)
  if (typeof urls === 'string') return urls === 'keep'
  const url = tryParseUrl(text)
  return url !== undefined && callCallback(() => urls(url))
}

/** Returns true if a file may have this id. */
export function isAllowedFileId({ fileIds = 'drop' }: SanitizePolicy, id: string, provider: string): boolean {
  return typeof fileIds === 'string' ? fileIds === 'keep' : callCallback(() => fileIds(id, provider))
}
