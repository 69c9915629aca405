import type { Rule } from '../../canonical/check/validation-rule.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { FinishReason, Role } from '../../canonical/model/message.ts'
import type { Part, PartType, ToolCallPart, ToolResultContent } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeOptions, Endpoint } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { ErrorFormat } from '../engine/error-codec.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import type { SettingSupportTable } from '../engine/setting-tables.ts'
import type { Framing } from '../engine/stream-framing.ts'

/** Rows of a table from wire names to canonical names. The first row of a canonical name is the one that is written. */
export type NameRows<Canonical extends string> = readonly (readonly [wire: string, canonical: Canonical])[]

/** Fields of a wire object. Those that are undefined are omitted. */
export interface WireFields {
  readonly [key: string]: Json | undefined
}

/** The context of a block's encoder: its path, and functions that write nested content and report its losses. */
export interface BlockWriting {
  readonly path: Path | undefined
  readonly context: EncodeContext
  /** Returns the arguments of a call as an object. */
  readonly writeArguments: (call: ToolCallPart) => JsonObject
  /** Returns the content of a tool result as text: JSON as JSON text, media as a description. */
  readonly writeText: (content: readonly ToolResultContent[]) => string
  /** Returns the content of a tool result as blocks of the format. */
  readonly writeBlocks: (content: readonly ToolResultContent[]) => readonly JsonObject[]
}

/** An optional field of a part that a block can express. A field that no row lists is reported as a loss. */
export type OptionalPartField =
  | 'cache'
  | 'citations'
  | 'detail'
  | 'isError'
  | 'name'
  | 'summary'
  | 'transcript'

/** Reads and writes one type of part as a block. The kit adds residue and hints. */
export interface BlockRow<P extends Part = Part> {
  /** The type of the block. */
  readonly type: string
  /** Returns the part of a block; undefined if the block is not understood, so that it is kept unchanged. */
  decode(block: JsonObject): P | undefined
  /** Returns the fields of the block beside its type; undefined if the format cannot express the part. */
  encode(part: P, writing: BlockWriting): WireFields | undefined
  /** The optional fields of the part that `encode` writes. */
  readonly fields?: readonly OptionalPartField[]
  /** True if the text or the arguments arrive in pieces in a stream; otherwise the block is written when complete. */
  readonly isStreamed?: true
}

/** The blocks of a format, by the part that they are. Parts without a row are sent as text, or omitted with a loss. */
export type BlockTable = { readonly [type in Exclude<PartType, 'opaque' | 'json'>]?: BlockRowOf<type> } & {
  readonly text: BlockRowOf<'text'>
}

type BlockRowOf<Type extends PartType> = BlockRow<Extract<Part, { readonly type: Type }>>

/** The keys of a request body, and its settings. */
export interface BlockRequest {
  /** The key of the model; absent if the path contains the model. */
  readonly model?: string
  /** The key of the list of messages. */
  readonly messages: string
  /** The key of the instructions, a text; absent if they are messages with a role of their own. */
  readonly system?: string
  /** The key of the list of tools. */
  readonly tools?: string
  /** The settings that the format has; every other one is reported as a loss. */
  readonly settings?: Partial<SettingSupportTable<ChatRequest>>
  /** Reads the settings that the table marks as converted. */
  decodeSettings?(body: JsonObject): Partial<ChatRequest>
  /** Writes the settings that the table marks as converted. */
  encodeSettings?(request: ChatRequest, context: EncodeContext): WireFields
}

/** The keys of a response body. The same keys are read by `start` and `finish` of a stream. */
export interface BlockResponse {
  readonly id?: string
  readonly model?: string
  /** The key of the list of blocks. */
  readonly content: string
  /** The key of the finish reason. */
  readonly finish: string
  /** The key of the object with the token counts. */
  readonly usage?: string
}

/**
 * Turns the payloads of a stream into events. A format calls the method that fits the payload and returns its events. Values
 * of a wrong type give no events, so that the payload is kept unchanged.
 */
export interface BlockEventReader {
  /** Reads the start of a stream: the id and the model are under the keys of the response. */
  start(fields: JsonObject): readonly ChatEvent[]
  /** Reads the start of a block. `key` identifies the block in later payloads: its position in most formats. */
  openBlock(key: Json | undefined, block: Json | undefined): readonly ChatEvent[]
  /** Reads a piece of an open block: of its text, or of the JSON text of its arguments. */
  addPiece(key: Json | undefined, piece: Json | undefined): readonly ChatEvent[]
  /** Reads a piece of text for formats whose payloads do not name a block: a block opens if none of the type is open. */
  addText(type: 'text' | 'reasoning', piece: Json | undefined): readonly ChatEvent[]
  /** Reads the end of a block. */
  closeBlock(key: Json | undefined): readonly ChatEvent[]
  /** Reads the end of a stream: the finish reason and the usage are under the keys of the response. */
  finish(fields: JsonObject): readonly ChatEvent[]
  /** Reads token counts that arrive before the end. */
  usage(fields: JsonObject): readonly ChatEvent[]
}

/** Reads and writes the events of a stream. */
export interface BlockStream {
  readonly framing: Framing
  /** Returns the events of a payload through the reader; an empty list for an unknown payload, which is kept unchanged. */
  read(payload: JsonObject, reader: BlockEventReader): readonly ChatEvent[]
  /** Writes the start of a stream. `fields` are the id and the model under the keys of the response. */
  writeStart(fields: JsonObject): JsonObject | undefined
  /** Writes the start of a block; undefined if the format has no event for it. */
  writeBlock(index: number, block: JsonObject): JsonObject | undefined
  /** Writes a piece of a text or of the arguments of a call. */
  writePiece(index: number, piece: string, type: 'text' | 'reasoning' | 'refusal' | 'tool-call'): JsonObject
  /** Writes the end of a block; undefined if the format has no event for it. */
  writeBlockEnd(index: number): JsonObject | undefined
  /** Writes the end of a stream. `fields` are the finish reason and the usage under the keys of the response. */
  writeFinish(fields: JsonObject): JsonObject
}

/** The token counts of a response, by the key of each. */
export type UsageKeys = { readonly [count in Exclude<keyof Usage, 'extra'>]?: string } & {
  readonly inputTokens: string
  readonly outputTokens: string
}

/**
 * A wire format whose messages are lists of typed blocks: names of keys, tables, and one function for each direction where a
 * table is not enough. `createBlockCodec` makes a codec of it.
 */
export interface BlockFormat<Name extends string = string> {
  /** The name of the dialect. It is stored with messages, so it must not change. */
  readonly name: Name
  /** The path of requests, or a function that returns path, query and headers. */
  readonly endpoint: string | ((request: ChatRequest, options: EncodeOptions) => Endpoint)
  readonly request: BlockRequest
  /** The keys of a message, and the names of the roles. Tool results are in user messages if no row names `tool`. */
  readonly message: { readonly role: string; readonly content: string; readonly roles: NameRows<Role> }
  /** The key of a block's type, and the blocks. */
  readonly blocks: { readonly type: string; readonly parts: BlockTable }
  /** Reads and writes the declaration of a tool; absent if the format has no tools. */
  readonly tool?: {
    decode(wire: JsonObject): FunctionTool | undefined
    encode(tool: FunctionTool): WireFields
  }
  readonly response: BlockResponse
  readonly finishReasons: NameRows<FinishReason>
  readonly usage?: UsageKeys
  readonly stream: BlockStream
  /** The differences from errors in the form `{ error: { message, type } }`. */
  readonly errors?: Partial<ErrorFormat>
  /** The rules of the provider for conversations. Default: none. */
  readonly rules?: readonly Rule[]
  /** Selects the facts about models that apply. Default: none are known. */
  readonly modelFacts?: Omit<ModelFactUse, 'dialect'>
}
