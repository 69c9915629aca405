import type { Json, JsonObject } from '../../wire/json.ts'
import type { Citation } from './citation.ts'
import type { Extra } from './extra.ts'

/**
 * The token by which a vendor recognises a part: sent only to hosts of that vendor, and never with edited content.
 */
export interface Signature {
  /** The vendor that made the token and can verify it, such as `anthropic`, `openai` or `google`. */
  readonly vendor: string
  readonly value: string
  /** Digest of the content that the token authenticates (see `digestOf`). */
  readonly contentDigest: string
}

/** Asks the provider to cache everything up to and including this place. */
export interface CacheHint {
  readonly ttl?: 'short' | 'long'
}

/** What every part may carry. */
export interface PartBase {
  readonly cache?: CacheHint
  readonly signature?: Signature
  /** The application's own; never sent. */
  readonly metadata?: JsonObject
  readonly extra?: Extra
}

export interface TextPart extends PartBase {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
}

export interface UrlSource {
  readonly kind: 'url'
  readonly url: string
}

export interface Base64Source {
  readonly kind: 'base64'
  readonly data: string
  readonly mediaType: string
}

/** A file that lies at a provider under an id. */
export interface IdSource {
  readonly kind: 'id'
  readonly id: string
  readonly provider: string
}

export interface TextSource {
  readonly kind: 'text'
  readonly text: string
}

/** Where the bytes of an image, audio, video or file are. */
export type MediaSource = UrlSource | Base64Source | IdSource | TextSource

interface MediaBase extends PartBase {
  readonly source: MediaSource
  /** Only where the source does not say it. */
  readonly mediaType?: string
  readonly name?: string
  /** How closely to look: `auto`, `low`, `high`, or what a provider adds. */
  readonly detail?: string
  /** The words spoken, where the provider gives them. */
  readonly transcript?: string
}

export interface ImagePart extends MediaBase {
  readonly type: 'image'
}

export interface AudioPart extends MediaBase {
  readonly type: 'audio'
}

export interface VideoPart extends MediaBase {
  readonly type: 'video'
}

export interface FilePart extends MediaBase {
  readonly type: 'file'
}

export type MediaPart = ImagePart | AudioPart | VideoPart | FilePart

/** What a model thought: never counted as text, replayed only to the maker of its signature. */
export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning'
  /** The readable text; empty where the provider shows none. */
  readonly text: string
  /** The text is a summary, not the thoughts themselves. */
  readonly summary?: true
  /** The provider hid the thoughts; the signature carries them. */
  readonly redacted?: true
}

export interface ToolCallPart extends PartBase {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** Absent exactly where `invalidArguments` is present. A custom tool's text is `{ input }`. */
  readonly arguments?: JsonObject
  /** The text that came, only where encoding `arguments` would give another; counts while it parses to `arguments`. */
  readonly rawArguments?: string
  /** The text that came where it was not a JSON object. It never becomes `{}`. */
  readonly invalidArguments?: string
  /** The provider runs this tool itself. */
  readonly executedBy?: 'provider'
}

/** Structured data, in tool results. */
export interface JsonPart extends PartBase {
  readonly type: 'json'
  readonly value: Json
}

export type ToolResultContent = TextPart | JsonPart | MediaPart | OpaquePart

export interface ToolResultPart extends PartBase {
  readonly type: 'tool-result'
  /** The `id` of the call that this answers. */
  readonly callId: string
  readonly name?: string
  readonly content: readonly ToolResultContent[]
  readonly isError?: true
}

export interface RefusalPart extends PartBase {
  readonly type: 'refusal'
  readonly text: string
}

/** A block that this version does not know: it goes back to its own dialect, and is a reported loss elsewhere. */
export interface OpaquePart extends PartBase {
  readonly type: 'opaque'
  readonly dialect: string
  readonly value: Json
}

/** The key of an opaque value that holds a whole wire message, not a block of one. */
export const WIRE_MESSAGE_KEY = '$message'

export type SystemPart = TextPart | OpaquePart
export type UserPart = TextPart | MediaPart | OpaquePart
export type AssistantPart =
  | TextPart
  | MediaPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | RefusalPart
  | OpaquePart
export type ToolPart = ToolResultPart | OpaquePart

/** Any part; `type` tells which. */
export type Part = AssistantPart | JsonPart

export type PartType = Part['type']
