import { parseArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { ImagePart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { type StreamWriter, pushAll } from '../engine/frame-reader-writer.ts'
import { createCandidatePath, createPartPath } from '../engine/parts-being-written.ts'
import { createContentBoundKeys } from '../engine/content-bound-keys.ts'
import { encodeToolCall } from './tool-calls.ts'
import { RESPONSE_SLOT, DIALECT_SLOT, contentBoundRules } from './constants.ts'
import { encodeFinish, encodeUsage, zeroUsageFields } from './response-metadata.ts'
import { encodeMedia } from './media.ts'
import { getOpaqueEventFields, StreamPlan } from './stream-plan.ts'

/** Creates the writer of a streamed response. Each line repeats model and time of the line before. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const plan = new StreamPlan(context)
  let model: Json = ''
  let created: Json | undefined
  let calls = 0
  let isDone = false

  const writer: StreamWriter = {
    contentBoundKeys: createContentBoundKeys(contentBoundRules, DIALECT_SLOT, context),
    encodeFrame(kind, events) {
      const start = events.find((event) => event.type === 'start')
      const finish = events.find((event) => event.type === 'finish')?.finish
      const usage = events.find((event) => event.type === 'usage')?.usage
      const isCompletion = kind === 'completion'
      const fields = encodeMessageFields(events, isCompletion ? 'response' : 'content', calls, context)
      const hasToolCalls = calls > 0 || Object.hasOwn(fields, 'tool_calls')
      // Assigned one by one: on Node 20, spreading optional fields takes ten times as long.
      const line: Record<string, Json> = { model: start?.model ?? model }
      const time = start?.createdAt ?? created
      if (time !== undefined) line['created_at'] = time
      Object.assign(line, isCompletion ? fields : { message: Object.assign({ role: 'assistant' }, fields) })
      line['done'] = finish !== undefined
      if (finish !== undefined)
        line['done_reason'] = encodeFinish({ finish, hasToolCalls, isOwnFormat: true })
      return Object.assign(line, usage && encodeUsage(usage))
    },
    recordWritten(wire) {
      const { model: writtenModel = model, created_at: time = created } = wire
      model = writtenModel
      created = time
      calls += countCalls(wire['message']) + countCalls(wire)
      if (wire['done'] === true) isDone = true
    },
    plan(event) {
      if (!isDone && created === undefined) created = getDate(context)
      return plan.plan(event)
    },
    end() {
      if (isDone) return []
      const lines = plan.end().map(([kind, events]) => writer.encodeFrame(kind, events))
      for (const line of lines) writer.recordWritten(line)
      return [...lines, ...encodeLastLine()]
    },
  }

  /** Encodes the last line. It contains finish reason and usage, which arrive in any order. */
  const encodeLastLine = (): readonly JsonObject[] => {
    const { usage, isOwnFormat } = plan
    const finish = plan.finish?.finish
    if (finish === undefined)
      return usage === undefined ? [] : [writer.encodeFrame('chunk', [{ type: 'usage', usage }])]
    const path = child(createCandidatePath(), 'finish')
    return [
      {
        ...writer.encodeFrame('chunk', []),
        done: true,
        done_reason: encodeFinish({ finish, hasToolCalls: calls > 0, isOwnFormat }, path, context),
        ...(usage === undefined ? zeroUsageFields : encodeUsage(usage, context)),
      },
    ]
  }

  return writer
}

/** Returns the current time, for a stream of another dialect without a time. */
function getDate({ options }: EncodeContext): string {
  return new Date((options.now ?? Date.now)()).toISOString()
}

function countCalls(wire: Json | undefined): number {
  const calls = isObject(wire) ? wire['tool_calls'] : undefined
  return Array.isArray(calls) ? calls.length : 0
}

/** Encodes the message fields of events, with the text in `field`, after `callCount` other calls. */
function encodeMessageFields(
  events: readonly ChatEvent[],
  field: 'content' | 'response',
  callCount: number,
  context: EncodeContext,
): JsonObject {
  let text = ''
  let reasoning = ''
  const images: Json[] = []
  const calls: Json[] = []
  let pieces: ReadonlyMap<number, string> | undefined
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'refusal-delta') text += event.text
    if (event.type === 'reasoning-delta') reasoning += event.text
    const fields = getOpaqueEventFields(event)
    if (typeof fields?.['content'] === 'string') text += fields['content']
    if (typeof fields?.['thinking'] === 'string') reasoning += fields['thinking']
    pushAll(images, itemsOf(fields?.['images']))
    pushAll(calls, itemsOf(fields?.['tool_calls']))
    if (event.type !== 'part-start') continue
    const { part, index } = event
    if (part.type !== 'tool-call' && part.type !== 'image') continue
    pieces ??= joinDeltas(events)
    const deltas = pieces.get(index) ?? ''
    const path = createPartPath({ index })
    if (part.type === 'tool-call') {
      const call = completeCall(part, deltas)
      calls.push(encodeToolCall(call, callCount + calls.length, path, context, RESPONSE_SLOT))
    } else {
      const data = encodeMedia(completeImage(part, deltas), path, context)
      if (data !== undefined) images.push(data)
    }
  }
  const message: Record<string, Json> = { [field]: text }
  if (reasoning !== '') message['thinking'] = reasoning
  if (images.length > 0) message['images'] = images
  if (calls.length > 0) message['tool_calls'] = calls
  return message
}

/** Returns the joined deltas of each part: the arguments of a call, the data of an image. */
function joinDeltas(events: readonly ChatEvent[]): ReadonlyMap<number, string> {
  const pieces = new Map<number, string>()
  for (const event of events) {
    if (event.type !== 'arguments-delta' && event.type !== 'media-delta') continue
    const piece = event.type === 'arguments-delta' ? event.json : event.data
    pieces.set(event.index, (pieces.get(event.index) ?? '') + piece)
  }
  return pieces
}

/** Returns a call with the arguments of its deltas. */
function completeCall(part: ToolCallPart, json: string): ToolCallPart {
  if (json === '') return part
  const { arguments: _arguments, rawArguments: _raw, invalidArguments: _error, ...call } = part
  return { ...call, ...parseArguments(json) }
}

function completeImage(part: ImagePart, data: string): ImagePart {
  if (data === '' || part.source.kind !== 'base64') return part
  return { ...part, source: { ...part.source, data: part.source.data + data } }
}
