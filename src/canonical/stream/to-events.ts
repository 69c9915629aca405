import { isEqualJson } from '../../wire/json.ts'
import { stringifyArguments, parseArguments } from '../build/call-arguments.ts'
import type { ChatEvent } from '../model/event.ts'
import type { AssistantMessage } from '../model/message.ts'
import type { AssistantPart, ToolCallPart } from '../model/part.ts'
import type { ChatResponse } from '../model/response.ts'

/**
 * Returns the events of a response; {@link accumulate} turns them into the same response again.
 *
 * @example
 * for (const event of toEvents(response)) send(event)
 */
export function toEvents(response: ChatResponse): ChatEvent[] {
  const { id, model, createdAt, candidates, usage } = response
  const about = {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(createdAt !== undefined && { createdAt }),
  }
  const events = candidates.flatMap((message, number) =>
    messageToEvents(message, number, number === 0 ? about : {}),
  )
  return [
    ...(candidates.length === 0 ? [{ type: 'start', ...about } as const] : events),
    ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
  ]
}

function messageToEvents(message: AssistantMessage, number: number, about: object): ChatEvent[] {
  const { role: _role, content, origin, finish, ...rest } = message
  const candidate = number === 0 ? {} : { candidate: number }
  return [
    { type: 'start', ...about, ...(origin !== undefined && { origin }), message: rest, ...candidate },
    ...content.flatMap((part, index) =>
      partToEvents(part, index).map((event) => ({ ...event, ...candidate })),
    ),
    ...(finish === undefined ? [] : [{ type: 'finish', finish, ...candidate } as const]),
  ]
}

function partToEvents(part: AssistantPart, index: number): ChatEvent[] {
  return [
    { type: 'part-start', index, part: withoutDeltaContent(part) },
    ...partToDeltas(part, index),
    { type: 'part-end', index },
  ]
}

/** Returns the part without the content of its delta. */
function withoutDeltaContent(part: AssistantPart): AssistantPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { ...part, text: '' }
    case 'tool-call': {
      if (!isFullyInText(part)) return part
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

function partToDeltas(part: AssistantPart, index: number): ChatEvent[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text === '' ? [] : [{ type: `${part.type}-delta`, index, text: part.text }]
    case 'tool-call':
      return isFullyInText(part) ? [{ type: 'arguments-delta', index, json: stringifyArguments(part) }] : []
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return []
  }
}

/**
 * Returns true if the argument text of a call contains all of its arguments; stale text beside them does not.
 */
function isFullyInText(call: ToolCallPart): boolean {
  const text = stringifyArguments(call)
  const { arguments: value, rawArguments: raw, invalidArguments: error } = parseArguments(text)
  const isSame =
    isEqualJson(call.arguments, value) && call.rawArguments === raw && call.invalidArguments === error
  return isSame && text !== '' && text !== '{}'
}
