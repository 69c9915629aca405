import { readArguments } from '../../canonical/build/arguments.ts'
import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { ImagePart, ToolCallPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import { vouchersOf } from '../shared/vouchers.ts'
import { encodeCall } from './calls.ts'
import { RESPONSE, SLOT, vouchers } from './codes.ts'
import { encodeFinish } from './finish.ts'
import { encodeMedia } from './media.ts'
import { fieldsOf, partAt, StreamPlan } from './stream-plan.ts'
import { encodeUsage, uncounted } from './usage.ts'

/** Writes the lines of a streamed answer. Model and time are those of the line before. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const plan = new StreamPlan(encoding)
  let head: JsonObject = { model: '' }
  let calls = 0
  let done = false

  const writer: StreamWriter = {
    vouchers: vouchersOf(vouchers, SLOT, encoding),
    frame(kind, events) {
      const start = events.find((event) => event.type === 'start')
      const finish = events.find((event) => event.type === 'finish')?.finish
      const usage = events.find((event) => event.type === 'usage')?.usage
      const { content, ...said } = pieceOf(events, calls, encoding)
      const called = calls > 0 || Object.hasOwn(said, 'tool_calls')
      return {
        ...head,
        ...(start?.model !== undefined && { model: start.model }),
        ...(start?.createdAt !== undefined && { created_at: start.createdAt }),
        ...(kind === 'completion'
          ? { response: content, ...said }
          : { message: { role: 'assistant', content, ...said } }),
        done: finish !== undefined,
        ...(finish !== undefined && { done_reason: encodeFinish({ finish, calls: called, own: true }) }),
        ...(usage !== undefined && encodeUsage(usage)),
      } as JsonObject
    },
    wrote(wire) {
      const { model, created_at: created, message, done: ended } = wire
      const told = {
        ...(model !== undefined && { model }),
        ...(created !== undefined && { created_at: created }),
      }
      head = { ...head, ...told }
      calls += callsIn(message) + callsIn(wire)
      if (ended === true) done = true
    },
    plan(event) {
      if (!done && head['created_at'] === undefined) head = { ...head, created_at: now(encoding) }
      return plan.next(event).map((events) => ['chunk', events])
    },
    end() {
      if (done) return []
      const lines = plan.flush().map((events) => writer.frame('chunk', events))
      for (const line of lines) writer.wrote(line)
      return [...lines, ...ending()]
    },
  }

  /** The last line of a stream of another format: it needs the reason and the counters, in whatever order they came. */
  const ending = (): readonly JsonObject[] => {
    const { finish, usage, own } = plan
    if (finish === undefined)
      return usage === undefined ? [] : [writer.frame('chunk', [{ type: 'usage', usage }])]
    const at = below(below(below(undefined, 'candidates'), 0), 'finish')
    return [
      {
        ...writer.frame('chunk', []),
        done: true,
        done_reason: encodeFinish({ finish, calls: calls > 0, own }, at, encoding),
        ...(usage === undefined ? uncounted : encodeUsage(usage, encoding)),
      },
    ]
  }

  return writer
}

/** A stream of another format that has no date is dated when it is written. */
function now({ options }: Encoding): string {
  return new Date((options.now ?? Date.now)()).toISOString()
}

function callsIn(wire: Json | undefined): number {
  const calls = isObject(wire) ? wire['tool_calls'] : undefined
  return Array.isArray(calls) ? calls.length : 0
}

/** What events add to the message; `before` is how many calls it has already. */
function pieceOf(events: readonly ChatEvent[], before: number, encoding: Encoding): JsonObject {
  const grown = { text: '', refusal: '', reasoning: '' }
  const images: Json[] = []
  const calls: Json[] = []
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'refusal-delta') grown.text += event.text
    if (event.type === 'reasoning-delta') grown.reasoning += event.text
    const fields = fieldsOf(event)
    if (typeof fields?.['content'] === 'string') grown.text += fields['content']
    if (typeof fields?.['thinking'] === 'string') grown.reasoning += fields['thinking']
    images.push(...listOf(fields?.['images']))
    calls.push(...listOf(fields?.['tool_calls']))
    if (event.type !== 'part-start') continue
    const { part, index } = event
    if (part.type === 'tool-call') {
      const call = wholeCall(part, event, events)
      calls.push(encodeCall(call, before + calls.length, partAt(index), encoding, RESPONSE))
    }
    const image = part.type === 'image' ? wholeImage(part, event, events) : undefined
    const data = image && encodeMedia(image, partAt(index), encoding)
    if (data !== undefined) images.push(data)
  }
  return {
    content: grown.text,
    ...(grown.reasoning !== '' && { thinking: grown.reasoning }),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** A call with the arguments that its deltas told. */
function wholeCall(
  part: ToolCallPart,
  { index }: PartStartEvent,
  events: readonly ChatEvent[],
): ToolCallPart {
  const told = events.filter((event) => event.type === 'arguments-delta' && event.index === index)
  const json = told.map((event) => (event.type === 'arguments-delta' ? event.json : '')).join('')
  if (json === '') return part
  const { arguments: _arguments, rawArguments: _raw, argumentsError: _error, ...call } = part
  return { ...call, ...readArguments(json) }
}

function wholeImage(part: ImagePart, { index }: PartStartEvent, events: readonly ChatEvent[]): ImagePart {
  const told = events.filter((event) => event.type === 'media-delta' && event.index === index)
  const data = told.map((event) => (event.type === 'media-delta' ? event.data : '')).join('')
  if (data === '' || part.source.kind !== 'base64') return part
  return { ...part, source: { ...part.source, data: part.source.data + data } }
}
