import { isBranded, brand } from '../../wire/frozen-json.ts'
import { hideFromConsole } from '../../wire/hide-from-console.ts'
import { type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import type {
  AudioPart,
  FilePart,
  ImagePart,
  JsonPart,
  MediaPart,
  Part,
  PartBase,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  VideoPart,
  Signature,
} from '../model/part.ts'
import { digestContent } from '../read/content-digest.ts'
import { normalizeArguments } from './call-arguments.ts'
import { generateId, type IdentityOptions } from './ids-and-timestamps.ts'
import { detectMediaType, type MediaInput, toMediaSource } from './media.ts'
import { checkAndFreezePart } from '../shape/part.ts'
import { withTypedErrors, withTypedRejections } from '../../wire/typed-errors.ts'

/** Options of the part builders. A signature is bound to the content of the built part. */
export interface PartOptions extends Omit<PartBase, 'signature'> {
  readonly signature?: Omit<Signature, 'contentDigest'>
}

/** Options of the media builders. */
export interface MediaOptions
  extends PartOptions, Pick<MediaPart, 'name' | 'mediaType' | 'detail' | 'transcript'> {}

/**
 * Returns the part with a signature that is bound to its current content.
 *
 * @example
 * attachSignature(reasoning('The user wants…'), { vendor: 'anthropic', value: 'EqQB…' })
 */
export function attachSignature<T extends Part>(part: T, signature: Omit<Signature, 'contentDigest'>): T {
  return withTypedErrors(() => {
    const { vendor, value } = signature
    return brand({
      ...checkAndFreezePart(part),
      signature: Object.freeze(hideFromConsole({ vendor, value, contentDigest: digestContent(part) })),
    })
  }, [part, signature])
}

function buildPart<T extends Part>(fields: Omit<T, keyof PartBase>, options: PartOptions): T {
  return withTypedErrors(() => {
    const { signature, ...rest } = options
    const part = checkAndFreezePart({ ...fields, ...rest } as unknown as T)
    return signature === undefined ? part : attachSignature(part, signature)
  }, [options])
}

/**
 * Builds a text part.
 *
 * @example
 * text('Hello', { cache: { ttl: 'long' } })
 */
export function text(content: string, options: PartOptions & Pick<TextPart, 'citations'> = {}): TextPart {
  return withTypedErrors(() => {
    const { citations, ...rest } = options
    return buildPart<TextPart>({ type: 'text', text: content, ...(citations && { citations }) }, rest)
  }, [content, options])
}

function buildMediaPart<T extends MediaPart>(type: T['type'], input: MediaInput, options: MediaOptions): T {
  return withTypedErrors(() => {
    const { name, detail, transcript, mediaType, ...rest } = options
    const source = toMediaSource(input, mediaType)
    const ownType = source.kind === 'base64' ? undefined : mediaType
    const fields = { type, source, ...omitUndefined({ mediaType: ownType, name, detail, transcript }) }
    return buildPart<T>(fields as unknown as Omit<T, keyof PartBase>, rest)
  }, [input, options])
}

/**
 * Builds an image part from a URL, bytes (such as a `Buffer`), base64, or the id of a file at a provider. A path is refused:
 * read it with `imageFromFile` of `interlingua/node`.
 *
 * @example
 * image('https://example.com/cat.png', { detail: 'high' })
 * image({ id: 'file-abc', provider: 'openai' })
 */
export function image(input: MediaInput, options: MediaOptions = {}): ImagePart {
  return buildMediaPart<ImagePart>('image', input, options)
}

/**
 * Builds an audio part.
 *
 * @example
 * audio({ data: base64, mediaType: 'audio/wav' })
 */
export function audio(input: MediaInput, options: MediaOptions = {}): AudioPart {
  return buildMediaPart<AudioPart>('audio', input, options)
}

/**
 * Builds a video part.
 *
 * @example
 * video('https://example.com/clip.mp4', { mediaType: 'video/mp4' })
 */
export function video(input: MediaInput, options: MediaOptions = {}): VideoPart {
  return buildMediaPart<VideoPart>('video', input, options)
}

/**
 * Builds a file part, such as a PDF or a plain text document.
 *
 * @example
 * file({ data: pdfBytes }, { name: 'report.pdf' })
 * file({ text: 'Chapter one…' }, { name: 'notes.txt' })
 */
export function file(input: MediaInput, options: MediaOptions = {}): FilePart {
  return buildMediaPart<FilePart>('file', input, options)
}

/**
 * Reads a `Blob` or `File` as an image, audio, video or file part, depending on its media type. The media type is detected
 * from the bytes; otherwise it is that of the blob.
 *
 * @example
 * user(['What is this?', await mediaFromBlob(fileInput.files[0])])
 */
export function mediaFromBlob(blob: Blob, options: MediaOptions = {}): Promise<MediaPart> {
  return withTypedRejections(async () => {
    const data = new Uint8Array(await blob.arrayBuffer())
    const [ownType = ''] = blob.type.split(';', 1)
    const mediaType =
      options.mediaType ?? detectMediaType(data) ?? (ownType.trim() || 'application/octet-stream')
    const name = 'name' in blob && typeof blob.name === 'string' ? { name: blob.name } : {}
    return mediaFromBytes(data, { ...name, ...options, mediaType })
  }, [blob, options])
}

const MEDIA_FAMILIES = ['image', 'audio', 'video'] as const

/** Builds an image, audio, video or file part from bytes; throws if their media type is neither given nor detected. */
export function mediaFromBytes(data: Uint8Array, options: MediaOptions = {}): MediaPart {
  const mediaType = options.mediaType ?? detectMediaType(data) ?? ''
  const family = MEDIA_FAMILIES.find((each) => mediaType.startsWith(`${each}/`)) ?? 'file'
  return buildMediaPart(family, data, options)
}

/**
 * Builds a reasoning part.
 *
 * @example
 * reasoning('The user wants…', { signature: { vendor: 'anthropic', value: 'EqQB…' } })
 */
export function reasoning(
  content: string,
  options: PartOptions & { readonly summary?: boolean; readonly redacted?: boolean } = {},
): ReasoningPart {
  return withTypedErrors(() => {
    const { summary, redacted, ...rest } = options
    const marks = { ...(summary && { summary }), ...(redacted && { redacted }) }
    return buildPart<ReasoningPart>({ type: 'reasoning', text: content, ...marks }, rest)
  }, [content, options])
}

/** The input of the {@link toolCall} builder. */
export interface ToolCallInput extends PartOptions, IdentityOptions {
  readonly id?: string
  readonly name: string
  /** An object, or the text that a provider sent. */
  readonly arguments?: JsonObject | string
  readonly executedBy?: 'provider'
}

/**
 * Builds a tool call. Arguments that are not a JSON object are kept verbatim as `invalidArguments`.
 *
 * @example
 * toolCall({ name: 'weather', arguments: { city: 'Oslo' } })
 */
export function toolCall(input: ToolCallInput): ToolCallPart {
  return withTypedErrors(() => {
    const { id: givenId, name, arguments: given, executedBy, newId: _newId, now: _now, ...rest } = input
    const id = givenId ?? generateId('call', input)
    const call = { type: 'tool-call', id, name, ...normalizeArguments(given) } as const
    return buildPart<ToolCallPart>({ ...call, ...(executedBy && { executedBy }) }, rest)
  }, [input])
}

/** The output of a tool: text, any JSON value, or built parts with text between them. */
export type ToolOutput = Json | ToolResultContent | readonly (string | ToolResultContent)[]

/**
 * Builds the result of a tool call. Text becomes a `text` part, any other JSON value a `json` part.
 *
 * @example
 * const call = toolCall({ name: 'weather', arguments: { city: 'Oslo' } })
 * toolResult(call, { celsius: 4 })
 * toolResult('call_1', 'No such city', { isError: true })
 */
export function toolResult(
  call: string | Pick<ToolCallPart, 'id' | 'name'>,
  output: ToolOutput,
  options: PartOptions & { readonly name?: string; readonly isError?: boolean } = {},
): ToolResultPart {
  return withTypedErrors(() => {
    const { name = typeof call === 'string' ? undefined : call.name, isError, ...rest } = options
    return buildPart<ToolResultPart>(
      {
        type: 'tool-result',
        callId: typeof call === 'string' ? call : call.id,
        ...(name !== undefined && { name }),
        content: toResultContent(output),
        ...(isError && { isError }),
      },
      rest,
    )
  }, [call, output, options])
}

/** Returns the output of a tool as parts. */
function toResultContent(output: ToolOutput): readonly ToolResultContent[] {
  const mixed = Array.isArray(output) && output.some(isBrandedPart)
  return mixed ? (output as (string | ToolResultContent)[]).map(toResultPart) : [toResultPart(output as Json)]
}

function toResultPart(output: Json | ToolResultContent): ToolResultContent {
  if (typeof output === 'string') return text(output)
  return isBrandedPart(output) ? output : json(output)
}

/** Only values of a builder or parser are parts: data of the same form stays data. */
function isBrandedPart(value: unknown): value is ToolResultContent {
  return typeof value === 'object' && value !== null && isBranded(value) && 'type' in value
}

/**
 * Builds a part with structured data, for tool results.
 *
 * @example
 * toolResult('call_1', [json({ rows: 3 }), text('See attachment')])
 */
export function json(value: Json, options: PartOptions = {}): JsonPart {
  return buildPart<JsonPart>({ type: 'json', value }, options)
}

/**
 * Builds a refusal part: the text of a model that refuses to answer.
 *
 * @example
 * assistant(refusal('I cannot help with that.'))
 */
export function refusal(content: string, options: PartOptions = {}): RefusalPart {
  return buildPart<RefusalPart>({ type: 'refusal', text: content }, options)
}
