import type { Json, JsonObject } from '../../wire/json.ts'
import type { Citation } from './citation.ts'
import type { Extra } from './extra.ts'

/** The token by which a vendor recognizes a part: sent only to that vendor, and never with edited content. */
export interface Signature {
  /** The vendor that made the token and can verify it, such as `anthropic`, `openai` or `google`. */
  readonly vendor: string
  readonly value: string
  /** The digest of the content that the token authenticates (see `digestContent`). */
  readonly contentDigest: string
}

/** Requests that the provider cache everything up to and including this part. */
export interface CacheHint {
  readonly ttl?: 'short' | 'long'
}

/** The fields that every part can have. */
export interface PartBase {
  readonly cache?: CacheHint
  readonly signature?: Signature
  /** Data of the application; never sent. */
  readonly metadata?: JsonObject
  readonly extra?: Extra
}

/** A text part. */
export interface TextPart extends PartBase {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
}

/** The URL of the bytes. */
export interface UrlSource {
  readonly kind: 'url'
  readonly url: string
}

/** Bytes in base64. */
export interface Base64Source {
  readonly kind: 'base64'
  readonly data: string
  readonly mediaType: string
}

/** A file that is stored at a provider under an id. */
export interface IdSource {
  readonly kind: 'id'
  readonly id: string
  readonly provider: string
}

/** The text of a plain text file. */
export interface TextSource {
  readonly kind: 'text'
  readonly text: string
}

/** The source of the bytes of an image, audio, video or file. */
export type MediaSource = UrlSource | Base64Source | IdSource | TextSource

interface MediaBase extends PartBase {
  readonly source: MediaSource
  /** Present only if the source has no media type. */
  readonly mediaType?: string
  readonly name?: string
  /** The level of detail: `auto`, `low`, `high`, or a value of a provider. */
  readonly detail?: string
  /** The transcript of the audio, if the provider returns one. */
  readonly transcript?: string
}

/** An image part. */
export interface ImagePart extends MediaBase {
  readonly type: 'image'
}

/** An audio part. */
export interface AudioPart extends MediaBase {
  readonly type: 'audio'
}

/** A video part. */
export interface VideoPart extends MediaBase {
  readonly type: 'video'
}

/** A file part, such as a PDF. */
export interface FilePart extends MediaBase {
  readonly type: 'file'
}

/** An image, audio, video or file part. */
export type MediaPart = ImagePart | AudioPart | VideoPart | FilePart

/** The reasoning of a model: not counted as text, and sent only to the vendor of its signature. */
export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning'
  /** The readable text; empty if the provider shows none. */
  readonly text: string
  /** The text is a summary, not the reasoning itself. */
  readonly summary?: true
  /** The provider hid the reasoning; the signature contains it. */
  readonly redacted?: true
}

/** A tool call of the model. */
export interface ToolCallPart extends PartBase {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** Absent exactly if `invalidArguments` is present. The text of a custom tool is `{ input }`. */
  readonly arguments?: JsonObject
  /** The text that the provider sent, if encoding `arguments` would change it; used while both agree. */
  readonly rawArguments?: string
  /** The text that the provider sent, if it is not a JSON object. It never becomes `{}`. */
  readonly invalidArguments?: string
  /** The provider executes the tool. */
  readonly executedBy?: 'provider'
}

/** Structured data, in tool results. */
export interface JsonPart extends PartBase {
  readonly type: 'json'
  readonly value: Json
}

/** A part of the content of a tool result. */
export type ToolResultContent = TextPart | JsonPart | MediaPart | OpaquePart

/** The result of a tool call. */
export interface ToolResultPart extends PartBase {
  readonly type: 'tool-result'
  /** The `id` of the tool call. */
  readonly callId: string
  readonly name?: string
  readonly content: readonly ToolResultContent[]
  readonly isError?: true
}

/** The text of a model that refuses to answer. */
export interface RefusalPart extends PartBase {
  readonly type: 'refusal'
  readonly text: string
}

/** A block of an unknown type: sent unchanged to its own dialect, and a reported loss elsewhere. */
export interface OpaquePart extends PartBase {
  readonly type: 'opaque'
  readonly dialect: string
  readonly value: Json
}

/** The key of an opaque value that contains a complete wire message, not a block. */
export const OPAQUE_MESSAGE_KEY = '$message'

/** A part of a system or developer message. */
export type SystemPart = TextPart | OpaquePart

/** A part of a user message. */
export type UserPart = TextPart | MediaPart | OpaquePart

/** A part of an assistant message. */
export type AssistantPart =
  | TextPart
  | MediaPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | RefusalPart
  | OpaquePart

/** A part of a tool message. */
export type ToolPart = ToolResultPart | OpaquePart

/** Any part, discriminated by `type`. */
export type Part = AssistantPart | JsonPart

/** The `type` of a part. */
export type PartType = Part['type']
