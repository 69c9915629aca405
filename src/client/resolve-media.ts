import { updateMessage, type MessageChanges } from '../canonical/update/message.ts'
import { updatePart } from '../canonical/update/part.ts'
import type { Message } from '../canonical/model/message.ts'
import type { Base64Source, IdSource, MediaPart, Part, ToolResultPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { child, type Path, toPointer } from '../wire/json-pointer.ts'
import { InterlinguaError } from '../errors.ts'
import { toBase64 } from '../wire/base64.ts'
import { readBytes } from '../wire/byte-source.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { isAcceptedMediaType, sniffMediaType } from '../wire/media-type.ts'
import { checkRequest } from '../dialects/engine/check-canonical-input.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { throwIfAborted } from '../wire/cancellation.ts'
import { tryParseUrl } from '../wire/urls.ts'

/** The replacement of a media source, or the reason why it is missing. */
type MediaResolution =
  | { readonly source: Base64Source | IdSource; readonly mediaType: string }
  | Omit<UnresolvedMedia, 'path'>

const DEFAULT_MAX_BYTES = 20 * 1024 * 1024

/** Fetches and uploads the media of one request. Media that occur several times are handled once. */
class MediaResolver {
  readonly #options: ResolveMediaOptions
  readonly #resolutions = new Map<string, Promise<MediaResolution>>()

  constructor(options: ResolveMediaOptions) {
    this.#options = options
  }

  /** Returns the replacement of a part's source; undefined if the source can stay. */
  async resolve(part: MediaPart): Promise<MediaResolution | undefined> {
    const { source, type } = part
    const { upload } = this.#options
    if (source.kind === 'url') {
      const { url } = source
      const found = await this.#resolveOnce(`fetch ${type} ${url}`, () => this.#fetch(url, type))
      return 'source' in found && found.source.kind === 'base64' && upload !== undefined
        ? this.#upload(found.source, part)
        : found
    }
    return source.kind === 'base64' && upload !== undefined ? this.#upload(source, part) : undefined
  }

  async #fetch(url: string, type: MediaPart['type']): Promise<MediaResolution> {
    const { fetch, signal, maxBytes = DEFAULT_MAX_BYTES } = this.#options
    if (fetch === undefined) return { reason: 'no-fetch' }
    const parsed = tryParseUrl(url)
    if (parsed === undefined || !this.#isAllowed(parsed)) return { reason: 'not-allowed' }
    try {
      const response = await fetch(parsed.href, {
        ...(signal && { signal }),
        redirect: 'error',
        allow: (hop) => this.#isAllowed(hop),
      })
      if (!response.ok) return { reason: 'failed', error: badStatusError(response.status) }
      const bytes = response.body === null ? new Uint8Array() : await readBytes(response.body, maxBytes)
      if (bytes === undefined) return { reason: 'too-large' }
      const mediaType = sniffMediaType(bytes) ?? stripParameters(response.headers.get('content-type'))
      if (!this.#isAccepted(mediaType, type)) return { reason: 'wrong-type' }
      return { source: { kind: 'base64', data: toBase64(bytes), mediaType }, mediaType }
    } catch (error) {
      return this.#toFailure(error)
    }
  }

  #upload(source: Base64Source, { type, name }: MediaPart): Promise<MediaResolution> {
    const { data, mediaType } = source
    return this.#resolveOnce(`upload ${mediaType} ${name ?? ''} ${data}`, async () => {
      const { upload, maxBytes = DEFAULT_MAX_BYTES } = this.#options
      if ((data.length * 3) / 4 > maxBytes + 2) return { reason: 'too-large' }
      if (!this.#isAccepted(mediaType, type)) return { reason: 'wrong-type' }
      try {
        const uploaded = await upload?.({ type, data, mediaType, ...(name !== undefined && { name }) })
        return uploaded === undefined
          ? { reason: 'failed' }
          : { source: { kind: 'id', id: uploaded.id, provider: uploaded.provider }, mediaType }
      } catch (error) {
        return this.#toFailure(error)
      }
    })
  }

  #resolveOnce(key: string, resolve: () => Promise<MediaResolution>): Promise<MediaResolution> {
    const promise = this.#resolutions.get(key) ?? resolve()
    this.#resolutions.set(key, promise)
    return promise
  }

  /** Compares hosts as parsed by `URL`, which normalizes case and unusual spellings. */
  #isAllowed({ protocol, hostname }: URL): boolean {
    if (protocol !== 'https:' && protocol !== 'http:') return false
    return (this.#options.allowedHosts ?? []).some((each) =>
      each.startsWith('*.')
        ? hostname.endsWith(each.slice(1).toLowerCase())
        : hostname === each.toLowerCase(),
    )
  }

  #isAccepted(mediaType: string, type: MediaPart['type']): boolean {
    const { mediaTypes } = this.#options
    if (mediaTypes !== undefined) return isAcceptedMediaType(mediaType, mediaTypes)
    return mediaType !== '' && (type === 'file' || isAcceptedMediaType(mediaType, [`${type}/*`]))
  }

  #toFailure(error: unknown): MediaResolution {
    throwIfAborted(this.#options.signal)
    return { reason: 'failed', ...(error instanceof Error && { error }) }
  }
}

function stripParameters(type: string | null): string {
  return type?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function badStatusError(status: number): InterlinguaError {
  return new InterlinguaError('fetch-failed', `The host responded with status ${status}`, {
    retryable: status >= 500,
  })
}

/** The second argument of the `fetch` option. */
export interface MediaFetchInit {
  readonly signal?: AbortSignal
  /** A plain `fetch` must not follow redirects, since it would not check their targets. */
  readonly redirect: 'error'
  /** Returns true if a redirect target is allowed, for a fetch that follows redirects (`guardedFetch`). */
  readonly allow: (url: URL) => boolean
}

/** A file to upload to a provider. */
export interface MediaUpload {
  readonly type: MediaPart['type']
  /** The content in base64. */
  readonly data: string
  readonly mediaType: string
  readonly name?: string
}

/** Options of {@link resolveMedia}. Without `fetch` and `upload`, nothing is resolved. */
export interface ResolveMediaOptions {
  /** Fetches URLs, which are untrusted (SSRF risk): use `guardedFetch()` of `interlingua/node`. */
  readonly fetch?: (url: string, init: MediaFetchInit) => Promise<Response>
  /** Hosts that may be fetched: `images.example.com` or `*.example.com`. Default: none. */
  readonly allowedHosts?: readonly string[]
  /** Uploads a file to a provider and returns its file id. Every file whose bytes are known is uploaded. */
  readonly upload?: (file: MediaUpload) => Promise<Omit<IdSource, 'kind'>>
  /** The maximum size of one file. Default: 20 MiB. */
  readonly maxBytes?: number
  /** Accepted media types. Default: those of the part's type (`image/*` for an image); for files, all. */
  readonly mediaTypes?: readonly string[]
  readonly signal?: AbortSignal
}

const RESOLVE_MEDIA_OPTION_NAMES: OptionNames<ResolveMediaOptions> = {
  fetch: Function,
  allowedHosts: true,
  upload: Function,
  maxBytes: true,
  mediaTypes: true,
  signal: true,
}

/** A media part that was not resolved and stays unchanged. */
export interface UnresolvedMedia {
  /** A JSON pointer into the request. */
  readonly path: string
  readonly reason: 'no-fetch' | 'not-allowed' | 'failed' | 'too-large' | 'wrong-type'
  readonly error?: Error
}

/** The result of {@link resolveMedia}. */
export interface ResolvedMedia {
  readonly request: ChatRequest
  /** JSON pointers of the parts that were replaced. */
  readonly resolved: readonly string[]
  readonly unresolved: readonly UnresolvedMedia[]
}

/**
 * Makes the media of a request accessible to the model: fetches URLs for models that accept only bytes
 * (Ollama, Bedrock), and uploads bytes to providers with file ids. It needs a `fetch` with `allowedHosts`, or
 * an `upload`; by default nothing is resolved. Media that cannot be resolved stay unchanged and are reported.
 *
 * Store the returned messages, so that the next turn does not fetch them again.
 *
 * @example
 * const fetch = guardedFetch({ mediaTypes: ['image/*'] })
 * const options = { fetch, allowedHosts: ['images.example.com'] }
 * const { request, unresolved } = await resolveMedia({ messages }, options)
 * const reply = await ollama('llava').generate(request)
 */
export async function resolveMedia(
  request: ChatRequest,
  options: ResolveMediaOptions = {},
): Promise<ResolvedMedia> {
  checkOptions('`resolveMedia`', options, RESOLVE_MEDIA_OPTION_NAMES)
  const resolver = new MediaResolver(options)
  const replaced = new Map<Part, Part>()
  const resolved: string[] = []
  const unresolved: UnresolvedMedia[] = []
  const messages = withTypedErrors(() => [...checkRequest(request).messages], [request, options])
  for (const [part, partPath] of findMedia(messages)) {
    const outcome = await resolver.resolve(part)
    if (outcome === undefined) continue
    const path = toPointer(partPath)
    if ('source' in outcome) {
      const { source } = outcome
      // The media type is set on the part only if the source does not contain it.
      const mediaType = source.kind === 'id' ? outcome.mediaType : undefined
      replaced.set(part, updatePart<MediaPart>(part, { source, mediaType }))
      resolved.push(path)
    } else unresolved.push({ path, ...outcome })
  }
  if (replaced.size === 0) return { request, resolved, unresolved }
  const changed = messages.map((each) => withParts(each, replaced))
  return { request: { ...request, messages: changed }, resolved, unresolved }
}

/** Yields all media of a conversation, including those inside tool results. */
function* findMedia(messages: readonly Message[]): Iterable<readonly [MediaPart, Path]> {
  for (const [index, { content }] of messages.entries()) {
    yield* findMediaInParts(content, child(child(child(undefined, 'messages'), index), 'content'))
  }
}

function* findMediaInParts(parts: readonly Part[], path: Path): Iterable<readonly [MediaPart, Path]> {
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-result')
      yield* findMediaInParts(part.content, child(child(path, index), 'content'))
    else if ('source' in part) yield [part, child(path, index)]
  }
}

/** Replaces parts of a message; returns the same message object if none of its parts changed. */
function withParts(message: Message, replaced: ReadonlyMap<Part, Part>): Message {
  const parts: readonly Part[] = message.content
  const content = parts.map((part) => replacePart(part, replaced))
  if (content.every((part, index) => part === parts[index])) return message
  return updateMessage(message, { content } as MessageChanges)
}

function replacePart(part: Part, replaced: ReadonlyMap<Part, Part>): Part {
  if (part.type !== 'tool-result') return replaced.get(part) ?? part
  const content = part.content.map((inner) => replacePart(inner, replaced))
  if (content.every((inner, index) => inner === part.content[index])) return part
  return updatePart<ToolResultPart>(part, { content: content as ToolResultPart['content'] })
}
