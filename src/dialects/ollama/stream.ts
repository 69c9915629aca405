import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { StreamReader } from '../frames.ts'
import { append } from '../shared/append.ts'
import { callIds } from '../shared/call-ids.ts'
import { StreamedArguments } from '../shared/streamed-arguments.ts'
import { decodeCalls } from './calls.ts'
import { RESPONSE } from './codes.ts'
import { finishFor } from './finish.ts'
import { decodeHead } from './head.ts'
import { decodeMedia } from './media.ts'
import { isCompletion, messageOf } from './parts.ts'
import { ownThoughts } from './reasoning.ts'
import { decodeUsage } from './usage.ts'

type Wire = { readonly [key: string]: Json }

/** The answer of a stream: which part is open, and where the next one goes. */
class Answer {
  readonly #ids = callIds()
  readonly #limits: StreamLimits | undefined
  #calls = 0
  #parts = 0
  #open: { readonly type: 'text' | 'reasoning'; readonly index: number } | undefined

  constructor(identity: string, limits: StreamLimits | undefined) {
    this.#ids.saw(identity)
    this.#limits = limits
  }

  /** Ends the open part. */
  close(): ChatEvent[] {
    if (this.#open === undefined) return []
    const { index } = this.#open
    this.#open = undefined
    return [{ type: 'part-end', index }]
  }

  /** More of the text or the thoughts, in the open part or a new one. */
  #grow(type: 'text' | 'reasoning', text: Json | undefined): ChatEvent[] {
    if (typeof text !== 'string' || text === '') return []
    const begun = this.#open?.type === type ? [] : this.#begin(type)
    return [...begun, { type: `${type}-delta`, index: this.#open?.index ?? 0, text }]
  }

  #begin(type: 'text' | 'reasoning'): ChatEvent[] {
    const closed = this.close()
    const index = this.#parts++
    this.#open = { type, index }
    const part = { type, text: '', ...(type === 'reasoning' && ownThoughts) }
    return [...closed, { type: 'part-start', index, part }]
  }

  /** Images and calls come whole. */
  #whole(part: AssistantPart, json = ''): ChatEvent[] {
    const closed = this.close()
    const index = this.#parts++
    return [
      ...closed,
      { type: 'part-start', index, part },
      ...(json === '' ? [] : [new StreamedArguments(this.#limits).grow(index, json)]),
      { type: 'part-end', index },
    ]
  }

  /** What a piece of the message adds. */
  says({ thinking, images, content, tool_calls: wire }: Wire): ChatEvent[] {
    const events = this.#grow('reasoning', thinking)
    for (const image of decodeMedia(images)) append(events, this.#whole(image))
    append(events, this.#grow('text', content))
    const calls = decodeCalls(wire, RESPONSE, this.#ids, this.#calls)
    this.#calls += calls.length
    for (const call of calls) {
      const json = JSON.stringify(call.arguments)
      append(events, this.#whole({ ...call, arguments: {} }, json === '{}' ? '' : json))
    }
    return events
  }

  finish(wire: Wire): ChatEvent[] {
    const finish = finishFor(wire, this.#calls > 0)
    return finish === undefined ? [] : [...this.close(), { type: 'finish', finish }]
  }
}

/** Reads the lines of a streamed answer. */
export function streamReader({ limits }: DecodeOptions = {}): StreamReader {
  let answer: Answer | undefined
  return {
    read(wire) {
      if (!isObject(wire['message']) && typeof wire['response'] !== 'string' && wire['done'] !== true)
        return []
      // Which answer it is, the first line decides.
      const head = answer === undefined ? decodeHead(wire) : undefined
      const events: ChatEvent[] = head === undefined ? [] : [{ type: 'start', ...head }]
      answer ??= new Answer(head?.id ?? '', limits)
      append(events, answer.says(messageOf(wire)))
      append(events, answer.finish(wire))
      const usage = decodeUsage(wire)
      if (usage !== undefined) events.push({ type: 'usage', usage })
      return events
    },
    end: () => answer?.close() ?? [],
  }
}

/** Every line is a piece of a chat, or of the older API that completes a prompt. */
export function kindOf(wire: JsonObject): string {
  return isCompletion(wire) ? 'completion' : 'chunk'
}
