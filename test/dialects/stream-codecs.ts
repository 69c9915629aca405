import type { Json, JsonObject } from 'interlingua'
import {
  kindOf as anthropicKind,
  streamReader as anthropicReader,
} from '../../src/dialects/anthropic/stream.ts'
import { streamWriter as anthropicWriter } from '../../src/dialects/anthropic/stream-writer.ts'
import type { StreamReader, StreamWriter } from '../../src/dialects/frames.ts'
import { kindOf as chatKind, streamReader as chatReader } from '../../src/dialects/openai-chat/stream.ts'
import { streamWriter as chatWriter } from '../../src/dialects/openai-chat/stream-writer.ts'
import {
  kindOf as responsesKind,
  streamReader as responsesReader,
} from '../../src/dialects/openai-responses/stream.ts'
import { streamWriter as responsesWriter } from '../../src/dialects/openai-responses/stream-writer.ts'

/** What a dialect brings for streams. */
export interface Codec {
  readonly name: string
  readonly reader: () => StreamReader
  readonly writer: () => StreamWriter
  readonly kindOf: (wire: JsonObject) => string
}

export const codecs: readonly Codec[] = [
  { name: 'openai-chat', reader: chatReader, writer: () => chatWriter(), kindOf: chatKind },
  {
    name: 'openai-responses',
    reader: responsesReader,
    writer: () => responsesWriter(),
    kindOf: responsesKind,
  },
  { name: 'anthropic', reader: anthropicReader, writer: () => anthropicWriter(), kindOf: anthropicKind },
]

/** The JSON payloads of a recorded stream. */
export function payloads(stream: string): Json[] {
  return stream
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .filter((data) => data !== '[DONE]' && data !== '')
    .map((data) => JSON.parse(data) as Json)
}
