import type { Json, JsonObject } from 'interlingua'
import {
  kindOf as anthropicKind,
  streamReader as anthropicReader,
} from '../../src/dialects/anthropic/stream.ts'
import { streamWriter as anthropicWriter } from '../../src/dialects/anthropic/stream-writer.ts'
import type { StreamReader, StreamWriter } from '../../src/dialects/frames.ts'
import { kindOf as geminiKind, streamReader as geminiReader } from '../../src/dialects/gemini/stream.ts'
import { streamWriter as geminiWriter } from '../../src/dialects/gemini/stream-writer.ts'
import { kindOf as ollamaKind, streamReader as ollamaReader } from '../../src/dialects/ollama/stream.ts'
import { streamWriter as ollamaWriter } from '../../src/dialects/ollama/stream-writer.ts'
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
  /** Whether a stream may tell several answers. */
  readonly several: boolean
}

export const codecs: readonly Codec[] = [
  { name: 'openai-chat', reader: chatReader, writer: () => chatWriter(), kindOf: chatKind, several: true },
  {
    name: 'openai-responses',
    reader: responsesReader,
    writer: () => responsesWriter(),
    kindOf: responsesKind,
    several: false,
  },
  {
    name: 'anthropic',
    reader: anthropicReader,
    writer: () => anthropicWriter(),
    kindOf: anthropicKind,
    several: false,
  },
  { name: 'gemini', reader: geminiReader, writer: () => geminiWriter(), kindOf: geminiKind, several: true },
  { name: 'ollama', reader: ollamaReader, writer: () => ollamaWriter(), kindOf: ollamaKind, several: false },
]

/** The JSON payloads of a stream, however it is framed: server-sent events, a JSON array, or a value a line. */
export function payloads(stream: string): Json[] {
  if (stream.trimStart().startsWith('[')) return JSON.parse(stream) as Json[]
  const lines = stream.split(/\r\n|\n|\r/)
  const events = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5))
  return (events.length > 0 ? events : lines.filter((line) => line.startsWith('{')))
    .map((data) => data.trim())
    .filter((data) => data !== '[DONE]' && data !== '')
    .map((data) => JSON.parse(data) as Json)
}
