import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
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
    decodeChunkUsage: ({ usage, x_groq: groq }) => decodeUsage(usage) ?? readGroqUsage(groq),
  })
}

/** Reads the usage that Groq sends in a field of its own if the request did not ask for usage. */
function readGroqUsage(groq: Json | undefined): Usage | undefined {
  return isObject(groq) ? decodeUsage(groq['usage'], { usageField: 'x_groq' }) : undefined
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
