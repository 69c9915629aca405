import type { Part } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { CallIdResolver } from './call-ids.ts'
import type { EncodedCalls } from './encoded-calls.ts'
import type { GeminiHints } from './hints.ts'

/** The message that contains a wire part: the API accepts or requires some fields in one kind of message only. */
type PartLocation = 'response' | 'assistant' | 'user' | 'system' | 'tool' | 'result'

/** A decoded content part, with the hints that its encoder needs to restore the wire part. */
export interface DecodedPart {
  readonly part: Part
  readonly hints?: GeminiHints
}

/** Everything that the decoding of a wire part depends on apart from the wire part. */
export interface PartDecodeContext {
  readonly location: PartLocation
  readonly callIds: CallIdResolver
  /** True if a tool call at this position is the first one of its message. */
  readonly isFirstCall?: boolean
}

/** Decoders by the data key of a wire part. */
export type PartDecoders = {
  readonly [key: string]: (body: JsonObject, partContext: PartDecodeContext) => DecodedPart | undefined
}

/** Everything that the encoding of a content part depends on apart from the part. */
export interface PartEncodeContext {
  readonly path: Path | undefined
  readonly context: EncodeContext
  readonly location: PartLocation
  readonly isFirstCall: boolean
  /** Signatures that another host sent separately from the tool calls that they sign. */
  readonly detachedSignatures?: string[]
  /** The tool calls of the conversation so far; their tool results refer to them. */
  readonly calls?: EncodedCalls
}
