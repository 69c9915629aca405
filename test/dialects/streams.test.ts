import type { ChatEvent, Json, JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import {
  kindOf as anthropicKind,
  streamReader as anthropicReader,
  streamWriter as anthropicWriter,
} from '../../src/dialects/anthropic/stream.ts'
import { FrameReader, FrameWriter, type StreamReader, type StreamWriter } from '../../src/dialects/frames.ts'
import { kindOf as chatKind, streamReader as chatReader } from '../../src/dialects/openai-chat/stream.ts'
import { streamWriter as chatWriter } from '../../src/dialects/openai-chat/stream-writer.ts'
import { hasCorpus, recorded } from '../corpus.ts'
import { expectSame } from '../laws.ts'

interface Codec {
  readonly name: string
  readonly reader: () => StreamReader
  readonly writer: () => StreamWriter
  readonly kindOf: (wire: JsonObject) => string
}

const codecs: readonly Codec[] = [
  { name: 'openai-chat', reader: chatReader, writer: () => chatWriter(), kindOf: chatKind },
  { name: 'anthropic', reader: anthropicReader, writer: () => anthropicWriter(), kindOf: anthropicKind },
]

/** The JSON payloads of a recorded stream. */
function payloads(stream: string): Json[] {
  return stream
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .filter((data) => data !== '[DONE]' && data !== '')
    .map((data) => JSON.parse(data) as Json)
}

describe.skipIf(!hasCorpus).each(codecs)('recorded streams of $name', ({ name, reader, writer, kindOf }) => {
  const streams = recorded(name).filter(({ stream }) => typeof stream === 'string')

  test('there are some', () => expect(streams.length).toBeGreaterThan(50))

  test.each(streams)('$id goes out payload for payload as it came in', ({ stream }) => {
    const wire = payloads(stream ?? '')
    const frames = new FrameReader(name, reader(), kindOf, writer())
    const events: ChatEvent[] = [...wire.flatMap((payload) => frames.read(payload)), ...frames.end()]
    const out = new FrameWriter(name, writer())
    const written = events.flatMap((event) => out.write(event))
    expectSame(written, wire)
  })
})
