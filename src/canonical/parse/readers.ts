import { seal } from '../../wire/frozen.ts'
import { describe, isObject, ownValue } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { IdentityOptions } from '../build/identity.ts'
import type { Message } from '../model/message.ts'
import type { ChatRequest } from '../model/request.ts'
import { requestShape } from '../shape/request.ts'
import { fail, type Reading } from '../shape/shape.ts'
import { known } from '../shape/strict.ts'
import { readMessage } from './message.ts'
import { readPart } from './part.ts'
import { readTool, readToolChoice } from './request.ts'

/** Reads our form and those that others store. */
export function leniently(options: IdentityOptions): Reading {
  return {
    ...options,
    strict: false,
    part: known('type', readPart),
    message: known('role', readMessage),
    tool: readTool,
    toolChoice: readToolChoice,
  }
}

/** Reads a list of messages, an object with `messages`, or a single message. */
export function readMessages(value: unknown, at: Path | undefined, reading: Reading): readonly Message[] {
  if (isObject(value) && Array.isArray(ownValue(value, 'messages'))) {
    return readMessages(value['messages'], below(at, 'messages'), reading)
  }
  if (!Array.isArray(value)) return Object.freeze([reading.message(value, at, reading, {})])
  return Object.freeze(value.map((each, index) => reading.message(each, below(at, index), reading, {})))
}

/** Reads a request; a `system` beside the messages becomes the first of them. */
export function readRequest(value: unknown, at: Path | undefined, reading: Reading): ChatRequest {
  if (!isObject(value)) return fail('invalid-type', at, describe(value), 'a request: an object')
  const { system, ...rest } = value
  const read = requestShape.read(withOurShapes(rest), at, reading, {})
  if (system === undefined || system === null || system === '') return read
  const first = reading.message({ role: 'system', content: system }, below(at, 'system'), reading, {})
  return seal({ ...read, messages: Object.freeze([first, ...read.messages]) })
}

/** What others write as one value where we have a list or an object. */
function withOurShapes(value: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } {
  const { stop, logprobs, top_logprobs: top, messages, ...rest } = value
  return {
    ...rest,
    ...(messages !== undefined && { messages: Array.isArray(messages) ? messages : [messages] }),
    ...(stop !== undefined && { stop: typeof stop === 'string' ? [stop] : stop }),
    ...(typeof logprobs === 'boolean'
      ? logprobs && { logprobs: { ...(typeof top === 'number' && { top }) } }
      : { logprobs, top_logprobs: top }),
  }
}
