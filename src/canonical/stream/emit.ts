import { equalJson } from '../../wire/json.ts'
import { argumentsText, readArguments } from '../build/arguments.ts'
import type { ChatEvent } from '../model/event.ts'
import type { AssistantMessage } from '../model/message.ts'
import type { AssistantPart, ToolCallPart } from '../model/part.ts'
import type { ChatResponse } from '../model/response.ts'

/**
 * The events that would have streamed a response: {@link accumulate} makes the same response of them.
 *
 * @example
 * for (const event of emit(response)) send(event)
 */
export function emit(response: ChatResponse): ChatEvent[] {
  const { id, model, createdAt, candidates, usage } = response
  const about = {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(createdAt !== undefined && { createdAt }),
  }
  const told = candidates.flatMap((message, number) =>
    emitMessage(message, number, number === 0 ? about : {}),
  )
  return [
    ...(candidates.length === 0 ? [{ type: 'start', ...about } as const] : told),
    ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
  ]
}

function emitMessage(message: AssistantMessage, number: number, about: object): ChatEvent[] {
  const { role: _role, content, origin, finish, ...rest } = message
  const candidate = number === 0 ? {} : { candidate: number }
  return [
    { type: 'start', ...about, ...(origin !== undefined && { origin }), message: rest, ...candidate },
    ...content.flatMap((part, index) => emitPart(part, index).map((event) => ({ ...event, ...candidate }))),
    ...(finish === undefined ? [] : [{ type: 'finish', finish, ...candidate } as const]),
  ]
}

function emitPart(part: AssistantPart, index: number): ChatEvent[] {
  return [
    { type: 'part-start', index, part: opening(part) },
    ...delta(part, index),
    { type: 'part-end', index },
  ]
}

/** The part without what its delta says. */
function opening(part: AssistantPart): AssistantPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { ...part, text: '' }
    case 'tool-call': {
      if (!isToldByText(part)) return part
      const { rawArguments: _raw, invalidArguments: _error, ...call } = part
      return { ...call, arguments: {} }
    }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return part
  }
}

function delta(part: AssistantPart, index: number): ChatEvent[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text === '' ? [] : [{ type: `${part.type}-delta`, index, text: part.text }]
    case 'tool-call':
      return isToldByText(part) ? [{ type: 'arguments-delta', index, json: argumentsText(part) }] : []
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return []
  }
}

/** Whether the text of a call's arguments says all of them: stale text beside them does not. */
function isToldByText(call: ToolCallPart): boolean {
  const text = argumentsText(call)
  const { arguments: value, rawArguments: raw, invalidArguments: error } = readArguments(text)
  const told =
    equalJson(call.arguments, value) && call.rawArguments === raw && call.invalidArguments === error
  return told && text !== '' && text !== '{}'
}
