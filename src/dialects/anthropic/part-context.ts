import type { Part } from '../../canonical/model/part.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { AnthropicHints } from './hints.ts'

/** The message that contains a block: the API accepts some blocks in a response but not in a user message. */
export type BlockContainerKind = 'response' | 'assistant' | 'user' | 'result'

/** A content part that was decoded from a block, with the hints that its encoder needs to restore the block. */
export interface DecodedPart {
  readonly part: Part
  readonly hints?: AnthropicHints
}

/** Decodes a block of one type; returns undefined for a block that does not have the expected fields. */
export type BlockDecoder = (
  wire: JsonObject,
  location: BlockContainerKind,
  decodeNested: (wire: Json, location: BlockContainerKind) => Part,
) => DecodedPart | undefined

/** Everything that the encoding of a block depends on apart from the content part. */
export interface BlockEncodeContext {
  readonly hints: AnthropicHints
  readonly path: Path | undefined
  readonly context: EncodeContext
  readonly location: BlockContainerKind
  /** Encodes the content parts that are nested in the content part. */
  readonly encodeNested: (
    parts: readonly Part[],
    path: Path | undefined,
    context: EncodeContext,
    location: BlockContainerKind,
  ) => JsonObject[]
}
