import type { Part } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { DocumentNamer } from './document-names.ts'
import type { BedrockHints } from './hints.ts'

/** The message that contains a block: the API accepts some blocks in a response but not in a user message. */
export type BlockContainerKind = 'response' | 'assistant' | 'user' | 'result'

/** What the decoding of a block depends on apart from the block. */
export interface BlockDecodeContext {
  readonly location: BlockContainerKind
  /** The vendor that signs the reasoning of the model. */
  readonly vendor: string
  /** The names of the documents before the block, in lower case. */
  readonly documentNames: Set<string>
}

/** A content part that was decoded from a block, with the hints that its encoder needs to restore the block. */
export interface DecodedPart {
  readonly part: Part
  readonly hints?: BedrockHints
}

/** Decodes the value of a block of one type; returns undefined for one that does not have the expected fields. */
export type BlockDecoder = (
  value: JsonObject,
  context: BlockDecodeContext,
  decodeNested: (wire: Json, context: BlockDecodeContext) => Part,
) => DecodedPart | undefined

/** Everything that the encoding of a block depends on apart from the content part. */
export interface BlockEncodeContext {
  readonly hints: BedrockHints
  readonly path: Path | undefined
  readonly context: EncodeContext
  readonly location: BlockContainerKind
  readonly namer: DocumentNamer
  /** Encodes the content parts that are nested in the content part. */
  readonly encodeNested: (
    parts: readonly Part[],
    path: Path | undefined,
    context: EncodeContext,
    location: BlockContainerKind,
    namer: DocumentNamer,
  ) => JsonObject[]
}

/** Returns the key of a block, which is its type: a block is an object with one key. */
export function getBlockKey(block: Json | undefined): string | undefined {
  return isObject(block) ? Object.keys(block)[0] : undefined
}

/** Returns true for a location inside of an answer of the model. */
export function isAnswer(location: BlockContainerKind): boolean {
  return location === 'response' || location === 'assistant'
}
