import type { JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/frame-reader-writer.ts'
import { createChatStreamReader } from '../shared/chat-stream-reader.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeResponseMetadata, decodeUsage } from './response-metadata.ts'
import { StreamCandidateReader } from './stream-candidate-reader.ts'

/** Creates the reader of a streamed completion. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return createChatStreamReader(options, {
    slot: DIALECT_SLOT,
    callIdRule,
    toolNameRule,
    createCandidateReader: (candidate, context) => new StreamCandidateReader(candidate, context),
    decodeMetadata: decodeResponseMetadata,
    decodeChunkUsage: ({ usage }) => decodeUsage(usage),
  })
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
