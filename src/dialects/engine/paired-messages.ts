import type { HasExtra } from '../../canonical/model/extra.ts'
import type { AssistantMessage, Message, MessageList, ToolMessage } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned, rememberTest } from '../../wire/frozen-json.ts'
import { deriveRepairMessageId } from '../../wire/unique-names.ts'
import type { SimpleMessage } from './simple-message-reader.ts'
import { getHints, defineSlot } from './residue-slots.ts'
import type { CallIdHint } from './residue-hints.ts'

/** A message in the form in which it can be written, and its index in the conversation. */
export interface PairedMessage {
  readonly message: Message
  readonly index: number
  /** The original positions of its parts, if they changed. */
  readonly positions?: readonly number[]
  /** The values of a simple message, if only its text is needed. */
  readonly simple?: SimpleMessage | undefined
}

/** Returns the message with its content as it can be written; the same object if nothing changed. */
export function createPairedMessage<T extends AssistantMessage | ToolMessage>(
  message: T,
  content: T['content'],
  index: number,
  positions?: readonly number[],
): PairedMessage {
  const isSame =
    content.length === message.content.length &&
    content.every((part, position) => part === message.content[position])
  const paired = isSame ? message : ({ ...message, content } as T)
  return positions === undefined ? { message: paired, index } : { message: paired, index, positions }
}

/** Returns a tool message that is not in the conversation. */
export function createResultMessage(content: readonly ToolResultPart[]): ToolMessage {
  const ids = content.map(({ callId }) => callId)
  return freezeOwned<ToolMessage>({ id: deriveRepairMessageId('orphan-call', ids), role: 'tool', content })
}

/**
 * Returns true if `ToolPairing` would write every message of a conversation as it is, whatever the dialect is: the ids of the calls
 * are unique, and the messages after them contain their results, one for each, in order. One walk that only compares ids takes a
 * fraction of the time of the pairing. Returns false for all that it does not decide, such as calls of the provider and raw
 * messages. A decoder and the encoder after it ask for the same list.
 */
export const isPairedConversation: (messages: readonly Message[] | MessageList) => boolean =
  /* @__PURE__ */ rememberTest(areAllPaired)

function areAllPaired(messages: Iterable<Message>): boolean {
  const ids = new Set<string>()
  /** The calls of the last assistant message, and the number of those with a result. */
  let calls: ToolCallPart[] = []
  let answered = 0
  for (const { role, content } of messages) {
    const isAnswer = role === 'tool'
    if (isAnswer ? content.length === 0 : answered < calls.length) return false
    if (role === 'assistant') {
      calls = []
      answered = 0
    }
    for (const part of content) {
      if (part.type === 'tool-call' && part.executedBy === undefined) {
        calls.push(part)
        if (ids.size === ids.add(part.id).size) return false
      } else if (part.type === 'tool-result') {
        if (!isAnswer || !isResultOf(part, calls[answered])) return false
        answered += 1
      } else if (isAnswer || part.type === 'tool-call' || part.type === 'opaque') return false
    }
  }
  return answered === calls.length
}

/** Returns true for the result of a call that is written as it is: without media, and with the name and the form of its call. */
function isResultOf(result: ToolResultPart, call: ToolCallPart | undefined): boolean {
  if (call === undefined || result.callId !== call.id) return false
  if (result.name !== undefined && result.name !== call.name) return false
  for (const part of result.content) if ('source' in part) return false
  return isAcceptedAs(result, call) && isAcceptedAs(call, result)
}

/** Returns true if the id of a unit has the same form as that of another in each slot of its residue. */
function isAcceptedAs(unit: HasExtra, other: HasExtra): boolean {
  for (const key in unit.extra) {
    const slot = defineSlot<CallIdHint, string>(key)
    if (getHints(unit, slot)['acceptedId'] !== getHints(other, slot)['acceptedId']) return false
  }
  return true
}
