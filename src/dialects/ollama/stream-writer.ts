import { readArguments } from '../../canonical/build/arguments.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { ImagePart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import { append } from '../shared/append.ts'
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
  let model: Json = ''
  let created: Json | undefined
  let calls = 0
  let done = false

  const writer: StreamWriter = {
    vouchers: vouchersOf(vouchers, SLOT, encoding),
    frame(kind, events) {
      const start = events.find((event) => event.type === 'start')
      const finish = events.find((event) => event.type === 'finish')?.finish
      const usage = events.find((event) => event.type === 'usage')?.usage
      const isCompletion = kind === 'completion'
      const said = pieceOf(events, isCompletion ? 'response' : 'content', calls, encoding)
      const called = calls > 0 || Object.hasOwn(said, 'tool_calls')
      // Assigned one by one: Node 20 takes ten times as long to spread what may be absent.
      const made: Record<string, Json> = { model: start?.model ?? model }
      const time = start?.createdAt ?? created
      if (time !== undefined) made['created_at'] = time
      Object.assign(made, isCompletion ? said : { message: Object.assign({ role: 'assistant' }, said) })
      made['done'] = finish !== undefined
      if (finish !== undefined) made['done_reason'] = encodeFinish({ finish, calls: called, own: true })
      return Object.assign(made, usage && encodeUsage(usage))
    },
    wrote(wire) {
      const { model: named = model, created_at: time = created } = wire
      model = named
      created = time
      calls += callsIn(wire['message']) + callsIn(wire)
      if (wire['done'] === true) done = true
    },
    plan(event) {
      if (!done && created === undefined) created = now(encoding)
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

/** What events add to the message, its text in a field; `before` is how many calls it has already. */
function pieceOf(
  events: readonly ChatEvent[],
  field: 'content' | 'response',
  before: number,
  encoding: Encoding,
): JsonObject {
  let text = ''
  let thoughts = ''
  const images: Json[] = []
  const calls: Json[] = []
  let pieces: ReadonlyMap<number, string> | undefined
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'refusal-delta') text += event.text
    if (event.type === 'reasoning-delta') thoughts += event.text
    const fields = fieldsOf(event)
    if (typeof fields?.['content'] === 'string') text += fields['content']
    if (typeof fields?.['thinking'] === 'string') thoughts += fields['thinking']
    append(images, itemsOf(fields?.['images']))
    append(calls, itemsOf(fields?.['tool_calls']))
    if (event.type !== 'part-start') continue
    const { part, index } = event
    if (part.type !== 'tool-call' && part.type !== 'image') continue
    pieces ??= piecesOf(events)
    const told = pieces.get(index) ?? ''
    if (part.type === 'tool-call')
      calls.push(encodeCall(wholeCall(part, told), before + calls.length, partAt(index), encoding, RESPONSE))
    else {
      const data = encodeMedia(wholeImage(part, told), partAt(index), encoding)
      if (data !== undefined) images.push(data)
    }
  }
  const piece: Record<string, Json> = { [field]: text }
  if (thoughts !== '') piece['thinking'] = thoughts
  if (images.length > 0) piece['images'] = images
  if (calls.length > 0) piece['tool_calls'] = calls
  return piece
}

/** What the deltas of each part tell: the arguments of a call, the data of an image. */
function piecesOf(events: readonly ChatEvent[]): ReadonlyMap<number, string> {
  const pieces = new Map<number, string>()
  for (const event of events) {
    if (event.type !== 'arguments-delta' && event.type !== 'media-delta') continue
    const piece = event.type === 'arguments-delta' ? event.json : event.data
    pieces.set(event.index, (pieces.get(event.index) ?? '') + piece)
  }
  return pieces
}

/** A call with the arguments that its deltas told. */
function wholeCall(part: ToolCallPart, json: string): ToolCallPart {
  if (json === '') return part
  const { arguments: _arguments, rawArguments: _raw, invalidArguments: _error, ...call } = part
  return { ...call, ...readArguments(json) }
}

function wholeImage(part: ImagePart, data: string): ImagePart {
  if (data === '' || part.source.kind !== 'base64') return part
  return { ...part, source: { ...part.source, data: part.source.data + data } }
}
