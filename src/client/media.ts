import { edit, type MessageChanges } from '../canonical/edit/message.ts'
import { editPart } from '../canonical/edit/part.ts'
import type { Message } from '../canonical/model/message.ts'
import type { IdSource, MediaPart, Part, ToolResultPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { below, type Path, pointer } from '../wire/pointer.ts'
import { type Outcome, Sources } from './media/sources.ts'

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
export interface MediaOptions {
  /** Fetches addresses, so that the model gets the bytes; `guardedFetch()` of `interlingua/node` is made for it. */
  readonly fetch?: (url: string, init: MediaFetchInit) => Promise<Response>
  /** Hosts that may be fetched from: `images.example.com`, or `*.example.com`. Default: none. */
  readonly allow?: readonly string[]
  /** Lays a file down with a provider; gives the provider's id for it. Every file whose bytes are known is laid down. */
  readonly upload?: (file: MediaUpload) => Promise<Omit<IdSource, 'kind'>>
  /** Bytes of one file at most. Default: 20 Mi. */
  readonly maxBytes?: number
  /** Media types that are accepted. Default: those of the part's kind (`image/*` for an image), and for files all. */
  readonly mediaTypes?: readonly string[]
  readonly signal?: AbortSignal
}

/** A part that stays as it was. */
export interface Unresolved {
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
  readonly unresolved: readonly Unresolved[]
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
export async function resolveMedia(request: ChatRequest, options: MediaOptions = {}): Promise<ResolvedMedia> {
  const sources = new Sources(options)
  const replaced = new Map<Part, Part>()
  const resolved: string[] = []
  const unresolved: Unresolved[] = []
  const messages = [...request.messages]
  for (const [part, at] of mediaIn(messages)) {
    const outcome = await sources.for(part)
    if (outcome === undefined) continue
    const path = pointer(at)
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
function* mediaIn(messages: readonly Message[]): Generator<readonly [MediaPart, Path], void, undefined> {
  for (const [index, { content }] of messages.entries()) {
    yield* mediaOf(content, below(below(below(undefined, 'messages'), index), 'content'))
  }
}

function* mediaOf(parts: readonly Part[], at: Path): Generator<readonly [MediaPart, Path], void, undefined> {
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-result') yield* mediaOf(part.content, below(below(at, index), 'content'))
    else if ('source' in part) yield [part, below(at, index)]
  }
}

/** The media type stands where the source does not say it. */
function withSource(
  part: MediaPart,
  { source, mediaType }: Extract<Outcome, { source: unknown }>,
): MediaPart {
  return editPart<MediaPart>(part, { source, mediaType: source.kind === 'id' ? mediaType : undefined })
}

/** The message with other parts; the very same message where it has none of them. */
function withParts(message: Message, replaced: ReadonlyMap<Part, Part>): Message {
  const parts: readonly Part[] = message.content
  const content = parts.map((part) => replacement(part, replaced))
  if (content.every((part, index) => part === parts[index])) return message
  return edit(message, { content } as MessageChanges)
}

function replacement(part: Part, replaced: ReadonlyMap<Part, Part>): Part {
  if (part.type !== 'tool-result') return replaced.get(part) ?? part
  const content = part.content.map((inner) => replacement(inner, replaced))
  if (content.every((inner, index) => inner === part.content[index])) return part
  return editPart<ToolResultPart>(part, { content: content as ToolResultPart['content'] })
}
