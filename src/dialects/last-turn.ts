import type { Message } from '../canonical/model/message.ts'
import type { Part } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'

/** The first answer of those that call and wait, without a word of the user between. */
export function loopOf(messages: ChatRequest['messages']): Message | undefined {
  let at = -1
  let last = messages.at(at)
  while (last !== undefined && last.role !== 'assistant') last = messages.at(--at)
  if (last?.content.some((part) => part.type === 'tool-call' && part.executedBy === undefined) !== true)
    return undefined
  let first = last
  for (;;) {
    const before = messages.at(--at)
    if (before === undefined || before.role === 'user') return first
    if (before.role === 'assistant') first = before
  }
}

/**
 * Whether a conversation ends with an answer that the model is to go on with: one that neither waits for a result nor was
 * paused by its provider. What says nothing after it may not be sent.
 */
export function isUnfinished(messages: ChatRequest['messages']): boolean {
  const last = lastSaid(messages)
  if (last?.role !== 'assistant' || last.finish?.reason === 'pause') return false
  const end = last.content.at(-1)?.type
  return end !== 'tool-call' && end !== 'tool-result'
}

function lastSaid(messages: ChatRequest['messages']): Message | undefined {
  let at = -1
  let last = messages.at(at)
  while (last !== undefined && (last.content as readonly Part[]).every(isBlank)) last = messages.at(--at)
  return last
}

/** Text that says nothing. */
export function isBlank(part: Part): boolean {
  return part.type === 'text' && part.text.trim() === ''
}
