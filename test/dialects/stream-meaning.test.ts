import {
  accumulate,
  type ChatEvent,
  type ChatResponse,
  emit,
  type Json,
  type JsonObject,
  textOf,
  toolCallsOf,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { FrameReader, FrameWriter } from '../../src/dialects/frames.ts'
import { hasCorpus, recorded } from '../corpus.ts'
import { codecs, payloads } from './stream-codecs.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }

/** What matters to a reader of the answer. */
function meaning(response: ChatResponse): unknown {
  return response.candidates.map((message) => ({
    text: textOf(message),
    calls: toolCallsOf(message).map(({ id, name, arguments: value, argumentsError, executedBy }) => ({
      id,
      name,
      value,
      argumentsError,
      executedBy,
    })),
    finish: message.finish?.reason,
  }))
}

/** Several starts glued together, provider-run tools and several candidates do not cross as they are. */
function canCross(events: readonly ChatEvent[], { candidates }: ChatResponse, to: string): boolean {
  const once = events.filter(({ type }) => type === 'start').length <= 1
  const provided = candidates.some(({ content }) =>
    content.some(
      (part) => part.type === 'tool-result' || (part.type === 'tool-call' && part.executedBy === 'provider'),
    ),
  )
  return once && !provided && (to === 'openai-chat' || candidates.length === 1)
}

function eventsOf(wire: readonly Json[], { name, reader, kindOf }: (typeof codecs)[number]): ChatEvent[] {
  const frames = new FrameReader(name, reader(), kindOf)
  return [...wire.flatMap((payload) => frames.read(payload)), ...frames.end()]
}

function written(events: readonly ChatEvent[], { name, writer }: (typeof codecs)[number]): JsonObject[] {
  const frames = new FrameWriter(name, writer())
  return [...events.flatMap((event) => frames.write(event)), ...frames.end()]
}

describe.skipIf(!hasCorpus).each(codecs)('recorded streams of $name', (codec) => {
  const streams = recorded(codec.name).filter(({ stream }) => typeof stream === 'string')

  test.each(streams)('$id tells a response that both formats tell again', async ({ stream }) => {
    const events = eventsOf(payloads(stream ?? ''), codec)
    const response = await accumulate(events, identity)
    const answered = response.candidates.map(
      ({ content }) => content.filter(({ type }) => type !== 'reasoning').length,
    )
    for (const other of codecs) {
      if (other.name !== codec.name && !canCross(events, response, other.name)) continue
      const again = await accumulate(eventsOf(written(events, other), other), identity)
      if (answered.some((count) => count > 0)) expect(meaning(again)).toEqual(meaning(response))
      if (response.usage !== undefined) expect(again.usage?.outputTokens).toBe(response.usage.outputTokens)
      const told = await accumulate(eventsOf(written(emit(response), other), other), identity)
      if (answered.some((count) => count > 0)) expect(meaning(told)).toEqual(meaning(response))
    }
  })
})
