import type { AssistantMessage, Message, ToolMessage } from '../../canonical/model/message.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { deriveRepairMessageId } from '../../wire/unique-names.ts'
import type { SimpleMessage } from './simple-message-reader.ts'

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
