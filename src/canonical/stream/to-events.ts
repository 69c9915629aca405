import { isEqualJson, omitUndefined } from '../../wire/json.ts'
import { stringifyArguments, parseArguments } from '../build/call-arguments.ts'
import type { ChatEvent } from '../model/event.ts'
import type { AssistantMessage } from '../model/message.ts'
import type { AssistantPart, ToolCallPart } from '../model/part.ts'
import type { ChatResponse } from '../model/response.ts'
import { isMediaPart } from '../read/message-content.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { child } from '../../wire/json-pointer.ts'
import { throwWrongType } from '../shape/shape.ts'

/**
 * Returns the events of a response; {@link accumulate} turns them into the same response again, with its usage on each
 * message.
 *
 * @example
 * for (const event of toEvents(response)) send(event)
 */
export function toEvents(response: ChatResponse): ChatEvent[] {
  return withTypedErrors(() => {
    const { id, model, createdAt, candidates, usage } = response
    if (!Array.isArray(candidates))
      throwWrongType(candidates, child(undefined, 'candidates'), 'a list of messages')
    const about = omitUndefined({ id, model, createdAt })
    const events = candidates.flatMap((message, number) => {
      // The usage of the response has its own event; `accumulate` copies it to the messages again.
      const { usage: messageUsage, ...rest } = message
      return messageToEvents(isEqualJson(messageUsage, usage) ? rest : message, number, about)
    })
    return [
      ...(candidates.length === 0 ? [{ type: 'start', ...about } as const] : events),
      ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
    ]
  }, [response])
}

function messageToEvents(message: AssistantMessage, number: number, about: object): ChatEvent[] {
  const { role: _role, content, origin, finish, ...rest } = message
  const candidate = number === 0 ? {} : { candidate: number }
  return [
    {
      type: 'start',
      ...(number === 0 && about),
      ...(origin !== undefined && { origin }),
      message: rest,
      ...candidate,
    },
    ...content.flatMap((part, index) =>
      partToEvents(part, index).map((event) => ({ ...event, ...candidate })),
    ),
    ...(finish === undefined ? [] : [{ type: 'finish', finish, ...candidate } as const]),
  ]
}

function partToEvents(part: AssistantPart, index: number): ChatEvent[] {
  const [start, ...deltas] = splitPart(part, index)
  return [{ type: 'part-start', index, part: start }, ...deltas, { type: 'part-end', index }]
}

/** Returns the part without the content of its delta, and the delta. */
function splitPart(part: AssistantPart, index: number): [AssistantPart, ...ChatEvent[]] {
  if (isMediaPart(part)) return [part]
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text === ''
        ? [part]
        : [
            { ...part, text: '' },
            { type: `${part.type}-delta`, index, text: part.text },
          ]
    case 'tool-call': {
      if (!isFullyInText(part)) return [part]
      const { rawArguments: _raw, invalidArguments: _error, ...call } = part
      return [
        { ...call, arguments: {} },
        { type: 'arguments-delta', index, json: stringifyArguments(part) },
      ]
    }
    case 'tool-result':
    case 'opaque':
      return [part]
  }
}

/** Returns true if the argument text of a call contains all of its arguments. */
function isFullyInText(call: ToolCallPart): boolean {
  const text = stringifyArguments(call)
  const { arguments: value, rawArguments: raw, invalidArguments: error } = parseArguments(text)
  const isSame =
    isEqualJson(call.arguments, value) && call.rawArguments === raw && call.invalidArguments === error
  return isSame && text !== '' && text !== '{}'
}
