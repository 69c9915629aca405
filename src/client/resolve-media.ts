import { updateMessage, type MessageChanges } from '../canonical/update/message.ts'
import { updatePart } from '../canonical/update/part.ts'
import type { Message } from '../canonical/model/message.ts'
import type {
  IdSource,
  MediaPart,
  Part,
  ToolResultPart,
  Base64Source,
  UrlSource,
} from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { child, type Path, toPointer } from '../wire/json-pointer.ts'
import { InterlinguaError } from '../errors.ts'
import { toBase64 } from '../wire/base64.ts'
import { readBytes } from '../wire/byte-source.ts'
import { isAcceptedMediaType, sniffMediaType } from '../wire/media-type.ts'
import { throwIfAborted } from '../wire/cancellation.ts'

/** A source in place of another, or why there is none. */
export type MediaResolution =
  | { readonly source: Base64Source | IdSource; readonly mediaType: string }
  | Omit<UnresolvedMedia, 'path'>

const DEFAULT_MAX_BYTES = 20 * 1024 * 1024

/** Fetches and lays down the sources of one request. The same file may stand in many places: it is handled once. */
export class MediaResolver {
  readonly #options: ResolveMediaOptions
  readonly #fetched = new Map<string, Promise<MediaResolution>>()
  readonly #uploaded = new Map<string, Promise<MediaResolution>>()

  constructor(options: ResolveMediaOptions) {
    this.#options = options
  }

  /** What to put in place of a part's source; undefined where it is fine as it is. */
  async resolve(part: MediaPart): Promise<MediaResolution | undefined> {
    const { source, type } = part
    const { upload } = this.#options
    if (source.kind === 'url') {
      const found = await memoizeByKey(this.#fetched, `${type} ${source.url}`, () =>
        this.#fetch(source, type),
      )
      return 'source' in found && found.source.kind === 'base64' && upload !== undefined
        ? this.#upload(found.source, part)
        : found
    }
    return source.kind === 'base64' && upload !== undefined ? this.#upload(source, part) : undefined
  }

  async #fetch({ url }: UrlSource, type: MediaPart['type']): Promise<MediaResolution> {
    const { fetch, signal, maxBytes = DEFAULT_MAX_BYTES } = this.#options
    if (fetch === undefined) return { reason: 'no-fetch' }
    if (!URL.canParse(url) || !this.#isAllowed(new URL(url))) return { reason: 'not-allowed' }
    try {
      const response = await fetch(new URL(url).href, {
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
    return memoizeByKey(this.#uploaded, `${mediaType} ${name ?? ''} ${data}`, async () => {
      const { upload, maxBytes = DEFAULT_MAX_BYTES } = this.#options
      if ((data.length * 3) / 4 > maxBytes + 2) return { reason: 'too-large' }
      if (!this.#isAccepted(mediaType, type)) return { reason: 'wrong-type' }
      try {
        const laid = await upload?.({ type, data, mediaType, ...(name !== undefined && { name }) })
        return laid === undefined
          ? { reason: 'failed' }
          : { source: { kind: 'id', id: laid.id, provider: laid.provider }, mediaType }
      } catch (error) {
        return this.#toFailure(error)
      }
    })
  }

  /** The web's own reading of a host is compared: lower case, without tricks of spelling. */
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

function memoizeByKey(
  known: Map<string, Promise<MediaResolution>>,
  key: string,
  make: () => Promise<MediaResolution>,
): Promise<MediaResolution> {
  const made = known.get(key) ?? make()
  known.set(key, made)
  return made
}

function stripParameters(type: string | null): string {
  return type?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function badStatusError(status: number): InterlinguaError {
  return new InterlinguaError('fetch-failed', `The host answered with status ${status}`, {
    retryable: status >= 500,
  })
}

/** What a fetch is told beside the address. */
export interface MediaFetchInit {
  readonly signal?: AbortSignal
  /** A plain `fetch` must not follow redirects: it would not ask about them. */
  readonly redirect: 'error'
  /** For a fetch that follows redirects by hand, such as `guardedFetch`: whether a hop may be gone to. */
  readonly allow: (url: URL) => boolean
}

/** A file to be laid down with a provider. */
export interface MediaUpload {
  readonly type: MediaPart['type']
  /** Base64. */
  readonly data: string
  readonly mediaType: string
  readonly name?: string
}

/** What may be done to get at media. Nothing is done unless it is said here. */
export interface ResolveMediaOptions {
  /** Fetches addresses, so that the model gets the bytes; `guardedFetch()` of `interlingua/node` is made for it. */
  readonly fetch?: (url: string, init: MediaFetchInit) => Promise<Response>
  /** Hosts that may be fetched from: `images.example.com`, or `*.example.com`. Default: none. */
  readonly allowedHosts?: readonly string[]
  /** Lays a file down with a provider; gives the provider's id for it. Every file whose bytes are known is laid down. */
  readonly upload?: (file: MediaUpload) => Promise<Omit<IdSource, 'kind'>>
  /** Bytes of one file at most. Default: 20 Mi. */
  readonly maxBytes?: number
  /** Media types that are accepted. Default: those of the part's kind (`image/*` for an image), and for files all. */
  readonly mediaTypes?: readonly string[]
  readonly signal?: AbortSignal
}

/** A part that stays as it was. */
export interface UnresolvedMedia {
  /** JSON pointer into the request. */
  readonly path: string
  readonly reason: 'no-fetch' | 'not-allowed' | 'failed' | 'too-large' | 'wrong-type'
  readonly error?: Error
}

/** A request with its media where the model can get at them, as far as that was possible. */
export interface ResolvedMedia {
  readonly request: ChatRequest
  /** Where something was replaced. */
  readonly resolved: readonly string[]
  readonly unresolved: readonly UnresolvedMedia[]
}

/**
 * Gets media to where a model can get at them: what lies at an address is fetched for models that take bytes (Ollama,
 * Bedrock), and what is there in bytes is laid down with the provider, for its own file ids. Nothing happens by default: it
 * takes a `fetch` and hosts that are allowed, or an `upload`. What cannot be had stays as it is and is reported.
 *
 * Keep the messages that it gives, so that nothing is fetched again with the next turn.
 *
 * @example
 * const fetch = guardedFetch({ mediaTypes: ['image/*'] })
 * const { request, unresolved } = await resolveMedia(asked, { fetch, allow: ['images.example.com'] })
 * const reply = await ollama('llava').generate(request)
 */
export async function resolveMedia(
  request: ChatRequest,
  options: ResolveMediaOptions = {},
): Promise<ResolvedMedia> {
  const sources = new MediaResolver(options)
  const replaced = new Map<Part, Part>()
  const resolved: string[] = []
  const unresolved: UnresolvedMedia[] = []
  const messages = [...request.messages]
  for (const [part, at] of findMedia(messages)) {
    const outcome = await sources.resolve(part)
    if (outcome === undefined) continue
    const path = toPointer(at)
    if ('source' in outcome) {
      replaced.set(part, withSource(part, outcome))
      resolved.push(path)
    } else unresolved.push({ path, ...outcome })
  }
  const changed =
    replaced.size === 0
      ? request
      : { ...request, messages: messages.map((each) => withParts(each, replaced)) }
  return { request: changed, resolved, unresolved }
}

/** All media of a conversation, those inside of results included. */
function* findMedia(messages: readonly Message[]): Generator<readonly [MediaPart, Path], void, undefined> {
  for (const [index, { content }] of messages.entries()) {
    yield* findMediaInParts(content, child(child(child(undefined, 'messages'), index), 'content'))
  }
}

function* findMediaInParts(
  parts: readonly Part[],
  path: Path,
): Generator<readonly [MediaPart, Path], void, undefined> {
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-result')
      yield* findMediaInParts(part.content, child(child(path, index), 'content'))
    else if ('source' in part) yield [part, child(path, index)]
  }
}

/** The media type stands where the source does not say it. */
function withSource(
  part: MediaPart,
  { source, mediaType }: Extract<MediaResolution, { source: unknown }>,
): MediaPart {
  return updatePart<MediaPart>(part, { source, mediaType: source.kind === 'id' ? mediaType : undefined })
}

/** The message with other parts; the very same message where it has none of them. */
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
